/* The C interface of models: ONNX models of Max, ReduceMax, Constant and Identity nodes, read from untrusted
 * files and run on DLPack's tensors. C99. docs/library.md and examples/c/run_model.c have examples.
 *
 * libsupremum_onnx.so exports what is declared here and nothing else. It has its own copy of the operators
 * and its own error text, so that a program may link it alone: supremum_use_target of libsupremum.so does not
 * affect it. supremum_status_name is in libsupremum.so.
 *
 * Ownership, threads and errors are as in c_api.h, with supremum_model_last_error() in place of
 * supremum_last_error(). Texts from a file (names, symbols) may contain any bytes except 0; one that has a 0
 * ends there. Escape them before they are printed; texts of errors are escaped.
 */
#ifndef SUPREMUM_C_MODELS_H_
#define SUPREMUM_C_MODELS_H_

#include "supremum/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Models ---- */

typedef struct supremum_model supremum_model;

/** A bit of `flags` of supremum_model_load: the model may have tensors in other files of its folder. */
#define SUPREMUM_MODEL_EXTERNAL_DATA 1u

/** Reads a model from a file. Any operator is accepted here; supremum_model_prepare refuses what it does not
 * execute.
 *
 * Requires: `path` and `model` are not null. `flags` is SUPREMUM_MODEL_EXTERNAL_DATA or 0. `max_bytes` is the
 * maximum memory, in bytes, of the file's tensors and, separately, of its messages, of the tensors of a plan,
 * and of what a plan has beside them, which may always take 1 MiB; 0: 16 GiB. All nodes of a plan together
 * read and write at most 128 times as much.
 * Ensures: *model is the model; on an error it is unchanged.
 * Errors: INVALID_ARGUMENT for a null pointer, a negative `max_bytes`, unknown flags; IO; MALFORMED_FILE;
 * LIMIT_EXCEEDED; OUT_OF_MEMORY.
 * Ownership: the caller owns the model and passes it to supremum_model_destroy once.
 * Threads: any number may read models at once, and any number may use one model. */
SUPREMUM_API supremum_status supremum_model_load(const char* path, int64_t max_bytes, uint32_t flags,
                                                 supremum_model** model);

/** Reads a model from memory, without tensors in other files. `name` is its name in texts of errors.
 *
 * Requires: `bytes` points to `byte_count` bytes and may be null if there are none; `name` and `model` are
 * not null; `max_bytes` as in supremum_model_load.
 * Ensures, errors, ownership and threads: as supremum_model_load, without IO. The bytes are not kept. */
SUPREMUM_API supremum_status supremum_model_parse(const void* bytes, size_t byte_count, const char* name,
                                                  int64_t max_bytes, supremum_model** model);

/** Frees the model and the descriptions of its values, not its plans. Null is a no-op.
 *
 * Ownership: the model no longer exists.
 * Threads: no other call may use the model meanwhile or after. */
SUPREMUM_API void supremum_model_destroy(supremum_model* model);

/** What a model states about an input or an output. The library makes it, and the structure may grow at its
 * end. */
typedef struct supremum_model_value {
  /** The name, as texts of errors have it in quotes. */
  const char* name;
  /** The element type; 0 bits if it is not stated, or not a type of c_api.h. */
  DLDataType dtype;
  /** 1 for an input that has a value in the model, which a caller's tensor replaces; otherwise 0. */
  int32_t is_optional;
  /** The number of dimensions, which may exceed SUPREMUM_MAX_RANK; -1 if no shape is stated. */
  int32_t rank;
  /** `rank` extents; -1 for one that is a symbol or not stated. */
  const int64_t* shape;
  /** `rank` names of symbolic extents; "" for one that is a number or not stated. Equal names are equal
   * extents. */
  const char* const* symbols;
} supremum_model_value;

/** The number of inputs, the optional ones included; 0 for a null model.
 *
 * Ownership: the model remains the caller's. Threads: any number at once. */
SUPREMUM_API size_t supremum_model_input_count(const supremum_model* model);

/** The number of outputs; 0 for a null model.
 *
 * Ownership and threads: as supremum_model_input_count. */
SUPREMUM_API size_t supremum_model_output_count(const supremum_model* model);

/** Input `index`, from 0: in the model's order, optional inputs last. Null if there is none.
 *
 * Ownership: the model's; valid until supremum_model_destroy. Threads: any number at once. */
SUPREMUM_API const supremum_model_value* supremum_model_input(const supremum_model* model, size_t index);

/** Output `index`, from 0, in the model's order. Null if there is none.
 *
 * Ownership and threads: as supremum_model_input. */
SUPREMUM_API const supremum_model_value* supremum_model_output(const supremum_model* model, size_t index);

/* ---- Plans: checked once, run any number of times, without allocating and without failing (MEM-3) ----
 *
 * The types, shapes and strides of a plan's tensors are fixed. As with plans of c_api.h, two threads must not
 * run one plan at once, and while _rebind or _destroy runs, no other call may use the plan. A plan remains
 * valid after its model has been destroyed.
 *
 * To learn what to allocate for outputs, prepare a plan without outputs: it has its own memory for them,
 * which supremum_model_plan_output describes. supremum_model_plan_rebind then binds it to memory of the
 * caller. */

typedef struct supremum_model_plan supremum_model_plan;

/** Computes all shapes, allocates memory for intermediate values and makes a plan for these tensors, which
 * the caller then owns. The tensors are neither copied nor converted. The inputs determine symbolic extents.
 *
 * Requires: `inputs` points to `input_count` pointers to tensors, in the order of supremum_model_input;
 * optional inputs may be missing at the end. `outputs` points to `output_count` pointers, in the order of
 * supremum_model_output; one that is null or missing means memory of the plan. `options` may be null; its
 * opset is 0, since the model states its own. If axes of a ReduceMax are not constants, the elements that
 * determine them are read now and must remain.
 * Ensures: *plan is the plan; on an error it is unchanged, as is all memory of outputs.
 * Errors: INVALID_ARGUMENT for a null pointer, null data, wrong options, a required input that is missing, a
 * shape that contradicts what the model states; UNSUPPORTED_DEVICE; INPUT_COUNT for more tensors than the
 * model has; UNSUPPORTED_OPERATOR; UNSUPPORTED_FORMAT for tensors in other files that supremum_model_load was
 * not allowed to read; SPARSE_TENSOR; LIMIT_EXCEEDED; OUT_OF_MEMORY; those of supremum_max and
 * supremum_reduce_max for the model's nodes, with the node's name; OVERLAP for an output that shares memory
 * with itself, an input or another output (MEM-1): not even the same memory is allowed. What prevents reading
 * a tensor's description is reported first, of inputs before outputs.
 * Ownership: the caller owns the plan and passes it to supremum_model_plan_destroy once. It keeps copies of
 * the descriptions and the addresses of the elements.
 * Threads: any number may prepare plans of one model at once.
 * Cost: the model keeps the plan that was destroyed last; a call with the same types, shapes, strides and
 * options only binds it. */
SUPREMUM_API supremum_status supremum_model_prepare(const supremum_model* model,
                                                    const DLTensor* const* inputs, size_t input_count,
                                                    const DLTensor* const* outputs, size_t output_count,
                                                    const supremum_options* options,
                                                    supremum_model_plan** plan);

/** Describes output `index` of the plan, with the type and shape that were computed and the memory that the
 * plan writes.
 *
 * Requires: `plan` and `tensor` are not null.
 * Ensures: *tensor is the description; on an error it is unchanged.
 * Errors: INVALID_ARGUMENT for a null pointer and for an index that the model does not have.
 * Ownership: shape and strides are the plan's, and so is the data unless the caller gave memory; valid until
 * the plan is bound to other memory or destroyed.
 * Threads: any number at once, also while the plan runs. */
SUPREMUM_API supremum_status supremum_model_plan_output(const supremum_model_plan* plan, size_t index,
                                                        DLTensor* tensor);

/** Binds the plan to other memory for tensors of the same types, shapes and strides: the addresses of the
 * elements whose coordinates are all 0 (in a DLTensor: data and byte_offset together).
 *
 * Requires: `inputs` are those of supremum_model_prepare, in its order; `outputs` are all outputs of the
 * model; one that is null means memory of the plan, which it has unless supremum_model_prepare was given the
 * output.
 * Ensures: on an error the plan is as it was.
 * Errors: INVALID_ARGUMENT for a null pointer, and for other inputs if axes are not constants; INPUT_COUNT
 * for other counts; INVALID_SHAPE for elements outside the address space; OVERLAP (MEM-1).
 * Ownership: the lists are read only during the call; the elements must be valid while the plan runs.
 * Threads: no other call may use the plan meanwhile.
 * Cost: no allocation unless there is an error. */
SUPREMUM_API supremum_status supremum_model_plan_rebind(supremum_model_plan* plan, const void* const* inputs,
                                                        size_t input_count, void* const* outputs,
                                                        size_t output_count);

/** Computes the model's outputs from the current elements of the bound inputs.
 *
 * Errors: INVALID_ARGUMENT for a null plan; there is no other.
 * Ownership: the plan and the elements remain the caller's.
 * Threads: one at a time for one plan; see above.
 * Cost: no allocation. */
SUPREMUM_API supremum_status supremum_model_plan_run(supremum_model_plan* plan);

/** The memory that the plan holds, in bytes, intermediate values included; 0 for a null plan.
 *
 * Ownership and threads: as supremum_model_plan_run. */
SUPREMUM_API size_t supremum_model_plan_memory_bytes(const supremum_model_plan* plan);

/** Frees the plan, not the tensors' memory. Null is a no-op.
 *
 * Ownership: the plan no longer exists.
 * Threads: no other call may use the plan meanwhile or after. */
SUPREMUM_API void supremum_model_plan_destroy(supremum_model_plan* plan);

/** The error text of the calling thread's last call of this header that did not return SUPREMUM_OK; "" if
 * there was none.
 *
 * Ownership: the library's; valid until this thread's next such call, or its end. Never null.
 * Threads: each thread has its own text. */
SUPREMUM_API const char* supremum_model_last_error(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* SUPREMUM_C_MODELS_H_ */
