/** ONNX's Max and ReduceMax, exact in every bit, as WebAssembly. The rules are those of docs/semantics.md, by their ids. */

export type DType = 'bfloat16' | 'float16' | 'float32' | 'float64' | 'int8' | 'int16' | 'int32' | 'int64'
    | 'uint8' | 'uint16' | 'uint32' | 'uint64' | 'bool';

/** bfloat16 and float16 travel as their bits, a bool as a byte, 64-bit integers as BigInts. */
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
  /** Whose rules decide about types and shapes (TYP-3, MAX-3, MAX-5). Absent: the newest. */
  opset?: number;
  /** Refuse inputs of different shapes (PRO-6). */
  identicalShapesOnly?: boolean;
}

export interface ReduceMaxOptions {
  /** The dimensions to reduce; negative ones count from the end (RED-2). Absent: all. An empty list: none. */
  axes?: number[];
  /** Reduced dimensions stay, with extent 1 (RED-3). */
  keepdims?: boolean;
  /** Whose rules decide about types and axes (TYP-4, RED-5). Absent: the library's own, which admit all types. */
  opset?: number;
}

/** An element as people read it. */
export interface ElementText {
  /** The shortest decimal that stands for no other number of the type. */
  value: string;
  /** All hexadecimal digits. */
  bits: string;
}

export interface Operand extends ElementText {
  /** Which input it is of. */
  input: number;
  /** Which of its elements, in row-major order. */
  position: number;
}

/** Why an element has its bits. */
export interface Explanation extends ElementText {
  /** What meets in it. */
  operands: Operand[];
  /** The first operand that has these bits; null if none has. */
  won: number | null;
  /** The rules by which it has them: the one that decides, then what else has a part. */
  rules: string[];
  /** The first rule, as a sentence. */
  reason: string;
}

export interface Explanations {
  shape: number[];
  elements: Explanation[];
}

/** What every refusal throws: `code` as docs/errors.md names it, `message` with the input, shapes and dimension. */
export class SupremumError extends Error {
  code: string;
}

export interface Supremum {
  readonly version: string;
  /** Whose instructions compute: "wasm". */
  readonly target: string;
  /** The element-wise maximum, broadcast to the common shape (MAX-2). Throws SupremumError. */
  max<T extends DType>(tensors: Tensor<T>[], options?: MaxOptions): Tensor<T>;
  /** The maximum along axes (RED-1). Throws SupremumError. */
  reduceMax<T extends DType>(tensor: Tensor<T>, options?: ReduceMaxOptions): Tensor<T>;
  /** The same elements, by the library's reference, with the rules that decide each. For small tensors. */
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

/** `wasmBinary`: the bytes of core.wasm, where they are not to be read from beside this file. */
export function load(options?: {wasmBinary?: ArrayBuffer | Uint8Array}): Promise<Supremum>;
