/* The C interface of supremum: Max and ReduceMax of tensors in DLPack's description. C99.
 *
 * libsupremum.so exports what is declared here and nothing else.
 *
 * Ownership. No function takes ownership of its arguments. A tensor's description (DLTensor, its shape and
 * its strides), options, axes and names are read only during the call. Elements are read and written during
 * the call or, for a plan, while it runs. The caller owns plans and frees each by its _destroy.
 *
 * Threads. Every function may be called from any number of threads at once, as long as no memory that one
 * call writes is read or written by another. Further requirements are stated at each function.
 *
 * Errors. A function that can fail returns a status, and supremum_last_error() returns a text that states the
 * tensor, dimension or axis at fault and what to do. On an error nothing has been written, neither elements
 * nor other output arguments. No C++ exception leaves the library, and it never ends the process.
 */
#ifndef SUPREMUM_C_API_H_
#define SUPREMUM_C_API_H_

#if defined(__has_include)
#if !__has_include(<dlpack/dlpack.h>)
#error "supremum/c_api.h needs DLPack's header, dlpack/dlpack.h (Debian: libdlpack-dev)"
#endif
#endif

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SUPREMUM_API __attribute__((visibility("default")))
#else
#define SUPREMUM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. The values never change and are those of `ErrorCode` in result.h; docs/errors.md
 * says when each is reported and what to do. If several errors apply, the lowest value is reported; but
 * errors that prevent reading the tensors (their number, device, type, a rank outside 0 to 64) come before
 * errors of their shapes and data. The list may grow: treat an unknown value as an error. */
typedef enum supremum_status {
  SUPREMUM_OK = 0,
  SUPREMUM_ERROR_IO = 1,
  SUPREMUM_ERROR_MALFORMED_FILE = 2,
  SUPREMUM_ERROR_UNSUPPORTED_FORMAT = 3,
  SUPREMUM_ERROR_UNSUPPORTED_OPERATOR = 4,
  SUPREMUM_ERROR_LIMIT_EXCEEDED = 5,
  SUPREMUM_ERROR_OUT_OF_MEMORY = 6,
  SUPREMUM_ERROR_INVALID_ARGUMENT = 7,
  SUPREMUM_ERROR_UNSUPPORTED_DEVICE = 8,
  SUPREMUM_ERROR_INPUT_COUNT = 10,
  SUPREMUM_ERROR_TYPE_MISMATCH = 20,
  SUPREMUM_ERROR_TYPE_NOT_ADMITTED = 21,
  SUPREMUM_ERROR_SPARSE_TENSOR = 30,
  SUPREMUM_ERROR_SHAPE_NOT_EXPLICIT = 31,
  SUPREMUM_ERROR_TYPE_NOT_EXPLICIT = 32,
  SUPREMUM_ERROR_DEFAULTED_ATTRIBUTE = 33,
  SUPREMUM_ERROR_BROADCAST_REFUSED = 34,
  SUPREMUM_ERROR_RANK = 40,
  SUPREMUM_ERROR_INVALID_SHAPE = 41,
  SUPREMUM_ERROR_AXIS = 50,
  SUPREMUM_ERROR_AXES_GIVEN = 51,
  SUPREMUM_ERROR_NOT_BROADCASTABLE = 60,
  SUPREMUM_ERROR_OUTPUT_SHAPE_MISMATCH = 61,
  SUPREMUM_ERROR_OVERLAP = 70,
  SUPREMUM_ERROR_NEGATIVE_BOUND = 80,
  SUPREMUM_STATUS_IS_AN_INT =
      0x7fffffff /* never returned: makes the type as wide as int under every compiler option */
} supremum_status;

/** The highest rank of a tensor (BRO-4). */
#define SUPREMUM_MAX_RANK 64

/** DLPack's type code of bool (one byte, 0 or 1), which DLPack's headers before 1.0 do not define. */
#define SUPREMUM_DL_BOOL 6

/** A value of `axis_count`: all dimensions are reduced. */
#define SUPREMUM_ALL_AXES SIZE_MAX

/** A bit of supremum_options::flags, for Max: refuse inputs of different shapes (PRO-6). */
#define SUPREMUM_IDENTICAL_SHAPES_ONLY 1u

/** The options of a call. Initialise them with SUPREMUM_OPTIONS_INIT; a null pointer in place of options
 * means these initial values.
 *
 *   supremum_options options = SUPREMUM_OPTIONS_INIT;
 *   options.threads = 0;
 *
 * The structure may grow at its end. `size` tells the library which members the caller has: those that the
 * caller lacks are as in SUPREMUM_OPTIONS_INIT; those that the library lacks must be 0. */
typedef struct supremum_options {
  /** sizeof(supremum_options). */
  size_t size;
  /** The ONNX opset, which selects the version of the operator and so the admitted types and shapes (MAX-3 to
   * MAX-5, TYP-3, TYP-4, RED-5); 0: every type of the operator, broadcasting. */
  int64_t opset;
  /** The maximum number of threads that compute, including the calling thread; 0: chosen by the library. */
  uint32_t threads;
  /** SUPREMUM_IDENTICAL_SHAPES_ONLY or 0. */
  uint32_t flags;
} supremum_options;

#define SUPREMUM_OPTIONS_INIT \
  { sizeof(supremum_options), 0, 1, 0 }

/* ---- Tensors ----
 *
 * A tensor is a DLTensor with these members:
 *
 * - data: with byte_offset added, the address of the element whose coordinates are all 0. Any alignment.
 *   May be null where there are no elements.
 * - device: kDLCPU, or pinned host memory: kDLCUDAHost, kDLROCMHost. Any other is
 *   SUPREMUM_ERROR_UNSUPPORTED_DEVICE.
 * - ndim, shape: 0 to 64 extents of 0 or more each. A scalar has ndim 0, and shape may then be null.
 * - dtype: float16, float32, float64, bfloat16, int8 to int64 or uint8 to uint64, with 1 lane; for
 *   ReduceMax also bool (SUPREMUM_DL_BOOL, 8 bits). Any other is SUPREMUM_ERROR_TYPE_NOT_ADMITTED.
 * - strides: in elements, of any sign; of an input also 0. Null for row-major without gaps. Memory in a gap
 *   of 4 KiB or more between elements need not exist; bytes in a shorter one of an input may be loaded, and
 *   influence nothing.
 *
 * The output is described in the same way, and its elements are written: const is for the description only.
 */

/** The element-wise maximum of `count` tensors, broadcast to their common shape, into `output`.
 *
 *   output[i] = max over m of z_m[i],   z_m = inputs[m] broadcast to shape(output)   (MAX-2, BRO-5)
 *
 * in the order of section 1 of docs/semantics.md: -0 < +0, NaN absorbs, every NaN written is the canonical
 * one of its type (ORD-1 to ORD-4). The output may be exactly one of the inputs (MEM-2).
 *
 * Requires: `inputs` points to `count` pointers to tensors. `options` may be null.
 *
 * Errors: INVALID_ARGUMENT for a null pointer, null data, wrong options; UNSUPPORTED_DEVICE; INPUT_COUNT
 * (MAX-1); TYPE_MISMATCH (TYP-2); TYPE_NOT_ADMITTED (TYP-3); BROADCAST_REFUSED (PRO-6); RANK (BRO-4);
 * INVALID_SHAPE; NOT_BROADCASTABLE, E1 (BRO-2, MAX-3); OUTPUT_SHAPE_MISMATCH, E2; OVERLAP (MEM-1, MEM-2);
 * OUT_OF_MEMORY.
 *
 * Ownership: as above; the library keeps no pointer after the call.
 * Threads: as above; if options->threads is not 1, threads of oneTBB compute too until the call returns.
 * Cost: time and memory linear in `count`; the memory is freed on return. */
SUPREMUM_API supremum_status supremum_max(const DLTensor* const* inputs, size_t count, const DLTensor* output,
                                          const supremum_options* options);

/** The maximum of `source` along the dimensions that `axes` names, into `output`.
 *
 *   output[i] = max over all source[j] with j = i outside the axes   (RED-1)
 *
 * in the order of supremum_max; over no elements it is -inf, the integer type's least value, or false
 * (RED-6).
 *
 * Requires: `axes` points to `axis_count` numbers in [-ndim, ndim-1], each dimension at most once (RED-2); it
 * may be null if `axis_count` is 0, which reduces nothing, or SUPREMUM_ALL_AXES. If `keepdims` is not 0, the
 * output keeps the reduced dimensions, with extent 1; otherwise it does not have them (RED-3). `options` may
 * be null.
 *
 * Errors: INVALID_ARGUMENT for a null pointer, null data, wrong options; UNSUPPORTED_DEVICE; TYPE_MISMATCH
 * (TYP-2); TYPE_NOT_ADMITTED (TYP-4); RANK (BRO-4); INVALID_SHAPE; AXIS (RED-2, RED-5);
 * OUTPUT_SHAPE_MISMATCH, E2; OVERLAP (MEM-1, MEM-2); OUT_OF_MEMORY.
 *
 * Ownership and threads: as supremum_max.
 * Cost: every element of the source is read once. The plan's memory is freed on return. */
SUPREMUM_API supremum_status supremum_reduce_max(const DLTensor* source, const int64_t* axes,
                                                 size_t axis_count, int keepdims, const DLTensor* output,
                                                 const supremum_options* options);

/* ---- Shapes: what to allocate ---- */

/** The common shape of `count` shapes, shapes[m] being ranks[m] extents (BRO-1 to BRO-4).
 *
 * Requires: `shapes` and `ranks` have `count` entries; shapes[m] may be null if ranks[m] is 0. `shape` has
 * room for SUPREMUM_MAX_RANK extents.
 *
 * Ensures: *rank extents have been written to `shape`.
 *
 * Errors: INVALID_ARGUMENT for a null pointer; INPUT_COUNT; RANK; INVALID_SHAPE; NOT_BROADCASTABLE, E1;
 * OUT_OF_MEMORY.
 *
 * Ownership and threads: nothing is kept; any number of threads at once. */
SUPREMUM_API supremum_status supremum_broadcast_shapes(const int64_t* const* shapes, const int32_t* ranks,
                                                       size_t count, int64_t* shape, int32_t* rank);

/** The shape of the output of supremum_reduce_max (RED-3). The source's data is not read and may be null.
 *
 * Requires: as supremum_reduce_max; `shape` has room for SUPREMUM_MAX_RANK extents.
 * Ensures: *rank extents have been written to `shape`.
 * Errors: those of supremum_reduce_max that concern the source and the axes.
 * Ownership and threads: as supremum_broadcast_shapes. */
SUPREMUM_API supremum_status supremum_reduce_max_shape(const DLTensor* source, const int64_t* axes,
                                                       size_t axis_count, int keepdims,
                                                       const supremum_options* options, int64_t* shape,
                                                       int32_t* rank);

/* ---- Plans: checked once, run any number of times, without allocating and without failing (MEM-3) ----
 *
 * Example, with functions Report and Fill of the caller:
 *
 *   supremum_max_plan* plan;
 *   supremum_status status = supremum_max_prepare(inputs, 2, &output, NULL, &plan);
 *   if (status != SUPREMUM_OK) return Report(supremum_last_error());
 *   while (Fill(inputs)) supremum_max_run(plan);
 *   supremum_max_destroy(plan);
 *
 * The memory of the elements remains the caller's and must be valid while the plan runs. Two threads must not
 * run one plan at once, since both would write its output: each thread has its own plan, or they take turns.
 * While _rebind or _destroy runs, no other call may use the plan. */

typedef struct supremum_max_plan supremum_max_plan;
typedef struct supremum_reduce_max_plan supremum_reduce_max_plan;

/** Checks what supremum_max checks and makes a plan for these tensors, which the caller then owns.
 *
 * Requires: as supremum_max; `plan` is not null.
 * Ensures: *plan is the plan; on an error it is unchanged.
 * Errors: those of supremum_max.
 * Ownership: the caller owns the plan and passes it to supremum_max_destroy once. It keeps copies of the
 * descriptions and the addresses of the elements.
 * Threads: any number may prepare plans at once. */
SUPREMUM_API supremum_status supremum_max_prepare(const DLTensor* const* inputs, size_t count,
                                                  const DLTensor* output, const supremum_options* options,
                                                  supremum_max_plan** plan);

/** Binds the plan to other memory for tensors of the same types, shapes and strides: inputs[m] and `output`
 * are the addresses of the elements whose coordinates are all 0 (in a DLTensor: data and byte_offset
 * together).
 *
 * Ensures: on an error the plan is as it was.
 * Errors: INVALID_ARGUMENT for a null pointer; INPUT_COUNT for another `count` than the plan's; INVALID_SHAPE
 * for elements outside the address space; OVERLAP (MEM-2).
 *
 * Ownership: `inputs` is read only during the call; the elements must be valid while the plan runs.
 * Threads: no other call may use the plan meanwhile.
 * Cost: linear in `count`; no allocation unless there is an error. */
SUPREMUM_API supremum_status supremum_max_rebind(supremum_max_plan* plan, const void* const* inputs,
                                                 size_t count, void* output);

/** Computes the maximum of the current elements of the bound inputs.
 *
 * Errors: INVALID_ARGUMENT for a null plan; there is no other.
 * Ownership: the plan and the elements remain the caller's.
 * Threads: running does not change the plan, but writes its output; see above.
 * Cost: no allocation; less than 96 KiB of stack. */
SUPREMUM_API supremum_status supremum_max_run(const supremum_max_plan* plan);

/** The memory that the plan holds, in bytes; 0 for a null plan. Running takes no more.
 *
 * Ownership and threads: as supremum_max_run. */
SUPREMUM_API size_t supremum_max_memory_bytes(const supremum_max_plan* plan);

/** Frees the plan, not the tensors' memory. Null is a no-op.
 *
 * Ownership: the plan no longer exists.
 * Threads: no other call may use the plan meanwhile or after. */
SUPREMUM_API void supremum_max_destroy(supremum_max_plan* plan);

/** Checks what supremum_reduce_max checks and makes a plan for these tensors, which the caller then owns.
 *
 * Requires: as supremum_reduce_max; `plan` is not null.
 * Ensures: *plan is the plan; on an error it is unchanged.
 * Errors: those of supremum_reduce_max.
 * Ownership: the caller owns the plan and passes it to supremum_reduce_max_destroy once. It keeps copies of
 * the descriptions and the addresses of the elements.
 * Threads: any number may prepare plans at once. */
SUPREMUM_API supremum_status supremum_reduce_max_prepare(const DLTensor* source, const int64_t* axes,
                                                         size_t axis_count, int keepdims,
                                                         const DLTensor* output,
                                                         const supremum_options* options,
                                                         supremum_reduce_max_plan** plan);

/** Binds the plan to other memory, as supremum_max_rebind does.
 *
 * Ensures: on an error the plan is as it was.
 * Errors: INVALID_ARGUMENT for a null pointer; INVALID_SHAPE for elements outside the address space; OVERLAP
 * (MEM-2).
 * Ownership and threads: as supremum_max_rebind. */
SUPREMUM_API supremum_status supremum_reduce_max_rebind(supremum_reduce_max_plan* plan, const void* source,
                                                        void* output);

/** Computes the maximum of the current elements of the bound source.
 *
 * Errors: INVALID_ARGUMENT for a null plan; there is no other.
 * Ownership and threads: as supremum_max_run.
 * Cost: no allocation; less than 96 KiB of stack. */
SUPREMUM_API supremum_status supremum_reduce_max_run(const supremum_reduce_max_plan* plan);

/** The memory that the plan holds, in bytes; 0 for a null plan. Running takes no more.
 *
 * Ownership and threads: as supremum_max_run. */
SUPREMUM_API size_t supremum_reduce_max_memory_bytes(const supremum_reduce_max_plan* plan);

/** Frees the plan, not the tensors' memory. Null is a no-op.
 *
 * Ownership and threads: as supremum_max_destroy. */
SUPREMUM_API void supremum_reduce_max_destroy(supremum_reduce_max_plan* plan);

/* ---- The library itself ---- */

/** The error text of the calling thread's last call that did not return SUPREMUM_OK; "" if there was none.
 *
 * Ownership: the library's; valid until this thread's next such call, or its end. Never null.
 * Threads: each thread has its own text. */
SUPREMUM_API const char* supremum_last_error(void);

/** The name of a status in docs/errors.md, such as "not_broadcastable"; "ok"; "unknown" for any other value.
 *
 * Ownership: lives as long as the library is loaded. Never null. Threads: any number at once. */
SUPREMUM_API const char* supremum_status_name(supremum_status status);

/** The version of the library, "0.1.0".
 *
 * Ownership: lives as long as the library is loaded. Threads: any number at once. */
SUPREMUM_API const char* supremum_version(void);

/** The name of the target (instruction set) of plans that are prepared from now on, such as "avx2". All
 * targets give the same bits (ORD-5).
 *
 * Ownership: lives as long as the library is loaded. Threads: any number at once. */
SUPREMUM_API const char* supremum_target(void);

/** Selects the target of plans that are prepared from now on, in every thread of the process; "" is the
 * fastest that runs here. Existing plans keep their target.
 *
 * Ensures: on an error nothing changes.
 * Errors: INVALID_ARGUMENT for null, and for a name that this build or this processor does not have; the text
 * lists those that it has.
 * Ownership: `name` is read only during the call.
 * Threads: any number at once. */
SUPREMUM_API supremum_status supremum_use_target(const char* name);

/** The maximum number of threads that compute if supremum_options::threads is 0; 1 in a build without oneTBB.
 *
 * Threads: any number at once. */
SUPREMUM_API size_t supremum_threads(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* SUPREMUM_C_API_H_ */
