/** ONNX's Max and ReduceMax, exact in every bit, as WebAssembly. The rules are those of docs/semantics.md, by their ids. */

export type DType = 'bfloat16' | 'float16' | 'float32' | 'float64' | 'int8' | 'int16' | 'int32' | 'int64'
    | 'uint8' | 'uint16' | 'uint32' | 'uint64' | 'bool';

/** bfloat16 and float16 are passed as their bits, a bool as a byte, 64-bit integers as BigInts. */
export interface DataOf {
  bfloat16: Uint16Array; float16: Uint16Array; float32: Float32Array; float64: Float64Array;
  int8: Int8Array; int16: Int16Array; int32: Int32Array; int64: BigInt64Array;
  uint8: Uint8Array; uint16: Uint16Array; uint32: Uint32Array; uint64: BigUint64Array; bool: Uint8Array;
}

/** Elements in row-major order; as many as the product of the extents. A scalar has the shape []. */
export interface Tensor<T extends DType = DType> {
  dtype: T;
  shape: number[];
  data: DataOf[T];
}

export interface MaxOptions {
  /** The opset whose rules for types and shapes apply (TYP-3, MAX-3, MAX-5). Absent: the newest. */
  opset?: number;
  /** Refuse inputs of different shapes (PRO-6). */
  identicalShapesOnly?: boolean;
}

export interface ReduceMaxOptions {
  /** The dimensions to reduce; negative ones count from the end (RED-2). Absent: all. An empty list: none. */
  axes?: number[];
  /** Keep reduced dimensions, with extent 1 (RED-3). */
  keepdims?: boolean;
  /** The opset whose rules for types and axes apply (TYP-4, RED-5). Absent: the library's own rules, which admit all types. */
  opset?: number;
}

/** An element as text. */
export interface ElementText {
  /** The shortest decimal that identifies the number in its type. */
  value: string;
  /** All hexadecimal digits. */
  bits: string;
}

export interface Operand extends ElementText {
  /** The index of its input. */
  input: number;
  /** The position of the element in that input, in row-major order. */
  position: number;
}

/** Why an element has its bits. */
export interface Explanation extends ElementText {
  /** The elements of the inputs that are joined in it. */
  operands: Operand[];
  /** The index of the first operand with these bits; null if there is none. */
  won: number | null;
  /** The rules that determine its bits: the deciding rule first. */
  rules: string[];
  /** The first rule, as a sentence. */
  reason: string;
}

export interface Explanations {
  shape: number[];
  elements: Explanation[];
}

/** The error that every function throws: `code` is a name of docs/errors.md, `message` names input, shapes and dimension. */
export class SupremumError extends Error {
  code: string;
}

export interface Supremum {
  readonly version: string;
  /** The instruction set in use: "wasm". */
  readonly target: string;
  /** The element-wise maximum, broadcast to the common shape (MAX-2). Throws SupremumError. */
  max<T extends DType>(tensors: Tensor<T>[], options?: MaxOptions): Tensor<T>;
  /** The maximum along axes (RED-1). Throws SupremumError. */
  reduceMax<T extends DType>(tensor: Tensor<T>, options?: ReduceMaxOptions): Tensor<T>;
  /** The same elements, computed by the library's reference, with the rules that determine each. For small tensors. */
  explainMax(tensors: Tensor[], options?: MaxOptions): Explanations;
  explainReduceMax(tensor: Tensor, options?: ReduceMaxOptions): Explanations;
  elements(tensor: Tensor): ElementText[];
  /**
   * Elements from text: decimal numbers, hexadecimal floats, "inf", "nan", "true", "false", or an element's bits with all its
   * hexadecimal digits. Without a shape it has one dimension. Throws SupremumError.
   */
  parse<T extends DType>(dtype: T, shape: number[] | undefined, text: string): Tensor<T>;
}

export const dtypes: DType[];

/** `wasmBinary`: the bytes of core.wasm, if it is not in the folder of this file. */
export function load(options?: {wasmBinary?: ArrayBuffer | Uint8Array}): Promise<Supremum>;
