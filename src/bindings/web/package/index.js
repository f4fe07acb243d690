// The library for JavaScript, as index.d.ts declares it. core.wasm computes; this file converts between typed arrays and bytes.
import createCore from './core.js';

const ARRAYS = {
  bfloat16: Uint16Array, float16: Uint16Array, float32: Float32Array, float64: Float64Array, bool: Uint8Array,
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
};

export const dtypes = Object.keys(ARRAYS);

export class SupremumError extends Error {
  constructor({code, message}) {
    super(message);
    this.name = 'SupremumError';
    this.code = code;
  }
}

function invalid(message) {
  return new SupremumError({code: 'invalid_argument', message});
}

// Throws an error of the core; returns anything else.
function checked(result) {
  if (result.error) throw new SupremumError(result.error);
  return result;
}

function toCore(tensor, what) {
  if (typeof tensor !== 'object' || tensor === null) throw invalid(`${what} is not a tensor; expected {dtype, shape, data}`);
  const {dtype, shape, data} = tensor;
  const wanted = ARRAYS[dtype];
  if (!Array.isArray(shape)) throw invalid(`the shape of ${what} is not an array of numbers`);
  if (wanted && !(data instanceof wanted)) throw invalid(`the data of ${what} is not a ${wanted.name}, the array type for ${dtype}`);
  const bytes = wanted ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array();
  return {dtype, shape, data: bytes};
}

function fromCore({dtype, shape, data}) {
  return {dtype, shape, data: new ARRAYS[dtype](data.buffer, data.byteOffset, data.byteLength / ARRAYS[dtype].BYTES_PER_ELEMENT)};
}

function inputsOf(tensors) {
  if (!Array.isArray(tensors)) throw invalid('the inputs are not an array of tensors');
  return tensors.map((tensor, m) => toCore(tensor, `input ${m}`));
}

async function wasmBytes() {
  const address = new URL('./core.wasm', import.meta.url);
  if (address.protocol === 'file:') return (await import('node:fs/promises')).readFile(address);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

export async function load({wasmBinary} = {}) {
  const core = await createCore({wasmBinary: new Uint8Array(wasmBinary ?? await wasmBytes())});
  return {
    version: core.version(),
    target: core.target(),
    max: (tensors, options = {}) => fromCore(checked(core.max(inputsOf(tensors), options))),
    reduceMax: (tensor, options = {}) => fromCore(checked(core.reduceMax(toCore(tensor, 'the source'), options))),
    explainMax: (tensors, options = {}) => checked(core.explainMax(inputsOf(tensors), options)),
    explainReduceMax: (tensor, options = {}) => checked(core.explainReduceMax(toCore(tensor, 'the source'), options)),
    elements: (tensor) => checked(core.elements(toCore(tensor, 'the tensor'))),
    parse(dtype, shape, text) {
      const data = checked(core.parse(dtype, text));
      return fromCore({dtype, shape: shape ?? [data.length / ARRAYS[dtype].BYTES_PER_ELEMENT], data});
    },
  };
}
