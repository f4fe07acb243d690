/* What runners in C share: kit.h as a C99 interface. */
#ifndef SUPREMUM_KIT_RUNNERS_KIT_C_H_
#define SUPREMUM_KIT_RUNNERS_KIT_C_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A tensor of a case: row-major, the elements in the machine's byte order. */
typedef struct kit_tensor {
  size_t rank;
  const int64_t* shape;
  void* data;
} kit_tensor;

typedef struct kit_case {
  const char* id;
  const char* op;   /**< "Max" or "ReduceMax" */
  const char* type; /**< "bfloat16", as NumPy would write it */
  size_t width;     /**< bytes of an element */
  int64_t opset;    /**< 0: no opset, since ONNX does not admit the type */
  int all_axes;     /**< of ReduceMax: all are reduced; otherwise the `axis_count` axes */
  const int64_t* axes;
  size_t axis_count;
  int keepdims;
  size_t input_count;
  const kit_tensor* inputs;
} kit_case;

/** The result of a case. A runner's function sets exactly one. */
typedef struct kit_answer kit_answer;

/** The answer is a tensor of this shape; returns the memory for its elements, null if there is not enough. */
void* kit_result(kit_answer* answer, size_t rank, const int64_t* shape);

/** The answer is that the runtime does not support the case, in its words. */
void kit_unsupported(kit_answer* answer, const char* why);

/** The answer is that the case failed. */
void kit_failed(kit_answer* answer, const char* text);

/** Removes `name VALUE`, an option of the runner's own, from the command line; returns the value, or null if
 * the option is not given. */
const char* kit_option(int* argc, char** argv, const char* name);

/** A complete runner: returns main's status. */
int kit_main(int argc, char** argv, const char* runtime, const char* version, const char* interface,
             void (*run)(const kit_case* problem, kit_answer* answer));

#ifdef __cplusplus
}
#endif

#endif /* SUPREMUM_KIT_RUNNERS_KIT_C_H_ */
