// What runners in Node share: reading a kit's cases and tensors, printing the lines of the protocol (README.md).
'use strict';
const fs = require('fs');
const path = require('path');

const NOT_INSTALLED = 77;
const ARRAYS = {
  float16: Uint16Array, bfloat16: Uint16Array, float32: Float32Array, float64: Float64Array, bool: Uint8Array,
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
};
// ONNX's numbers of the types.
const TYPES = {
  1: 'float32', 2: 'uint8', 3: 'int8', 4: 'uint16', 5: 'int16', 6: 'int32', 7: 'int64', 9: 'bool', 10: 'float16',
  11: 'float64', 12: 'uint32', 13: 'uint64', 16: 'bfloat16',
};

function exitWith(status, text) {
  process.stderr.write(`${path.basename(process.argv[1])}: ${text}\n`);
  process.exit(status);
}

const notInstalled = (why) => exitWith(NOT_INSTALLED, `not installed: ${why}`);

// Reverses the bytes of each element, in place.
function swap(bytes, width) {
  for (let i = 0; i < bytes.length; i += width) bytes.subarray(i, i + width).reverse();
  return bytes;
}

// Elements as a kit writes them, numbers with the most significant digit first, to a typed array, and back.
function fromHex(type, bits) {
  const bytes = new Uint8Array(Buffer.from(bits, 'hex'));
  return new ARRAYS[type](swap(bytes, ARRAYS[type].BYTES_PER_ELEMENT).buffer);
}

function toHex(array) {
  const bytes = Uint8Array.from(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return Buffer.from(swap(bytes, array.BYTES_PER_ELEMENT)).toString('hex');
}

// A TensorProto with raw data, as a kit has them: {type, shape, data}.
function readTensor(file) {
  const bytes = fs.readFileSync(file);
  let at = 0;
  const varint = () => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++]);
      value |= (byte & 127n) << shift;
      if (byte < 128n) return Number(value);
    }
  };
  const tensor = {type: undefined, shape: [], data: Buffer.alloc(0)};
  while (at < bytes.length) {
    const key = varint();
    const value = varint();  // of a field, or the length of its content
    const end = key % 8 === 2 ? at + value : at;
    if (key === 8) tensor.shape.push(value);
    if (key === 10) while (at < end) tensor.shape.push(varint());
    if (key === 16) tensor.type = TYPES[value];
    if (key === 74) tensor.data = bytes.subarray(at, end);
    at = end;
  }
  const content = Uint8Array.from(tensor.data);
  return {...tensor, data: new ARRAYS[tensor.type](content.buffer)};
}

function casesOf(file) {
  try {
    return JSON.parse(fs.readFileSync(file)).cases;
  } catch (error) {
    return exitWith(2, `${file} cannot be read as part of a kit, which supremum-audit cases DIR writes: ${error.message}`);
  }
}

// A complete runner. `run(folder, test)` returns {shape, bits}, {unsupported} or {failed}; `judge(folder, invalid)` returns
// {refused}, {accepted}, or null for a model that the runtime does not read.
async function main(runtime, run, judge) {
  const [folder, option, value] = process.argv.slice(2);
  if (!folder || (option && (option !== '--from' || !/^\d+$/.test(value || '')))) exitWith(2, 'usage: RUNNER DIR [--from N]');
  const cases = casesOf(path.join(folder, 'cases.json'));
  const file = path.join(folder, 'invalid.json');
  const invalid = judge && fs.existsSync(file) ? casesOf(file) : [];
  const print = (line) => process.stdout.write(JSON.stringify(line) + '\n');
  const from = option ? Number(value) : 0;
  print(runtime);
  for (let i = from; i < cases.length; ++i) print({case: i, id: cases[i].id, ...(await run(folder, cases[i]))});
  for (let i = Math.max(0, from - cases.length); i < invalid.length; ++i) {
    const answer = await judge(folder, invalid[i]);
    if (answer) print({invalid: i, id: invalid[i].id, ...answer});
  }
}

module.exports = {ARRAYS, fromHex, main, notInstalled, readTensor, toHex};
