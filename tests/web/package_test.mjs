// The npm package, as its users install it: build/wasm/package, or the folder that SUPREMUM_WASM names.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = process.env.SUPREMUM_WASM ?? path.join(root, 'build', 'wasm', 'package');
const {dtypes, load, SupremumError} = await import(pathToFileURL(path.join(folder, 'index.js')));
const supremum = await load();

const f32 = (shape, ...values) => ({dtype: 'float32', shape, data: Float32Array.from(values)});
const refuses = (call, code, ...parts) => assert.throws(call, (error) => {
  assert(error instanceof SupremumError, String(error));
  assert.equal(error.code, code);
  for (const part of parts) assert(error.message.includes(part), error.message);
  return true;
});

test('it computes with the instructions of WebAssembly', () => {
  assert.equal(supremum.target, 'wasm');
  assert.equal(supremum.version, JSON.parse(fs.readFileSync(path.join(folder, 'package.json'))).version);
});

// Rules: MAX-2, BRO-5, ORD-2, ORD-3, ORD-4
test('a maximum is broadcast, +0 is greater than -0, and a NaN absorbs', () => {
  const y = supremum.max([f32([2, 3], 1, -0, 3, -4, NaN, -6), f32([3], 0.5, 0, 4)]);
  assert.deepEqual(y.shape, [2, 3]);
  assert(y.data instanceof Float32Array);
  assert.deepEqual([...new Uint32Array(y.data.buffer)], [0x3f800000, 0, 0x40800000, 0x3f000000, 0x7fc00000, 0x40800000]);
});

test('a reduction goes along the axes that are named, or all', () => {
  const x = f32([2, 3], 1, 5, 2, 4, 3, 6);
  assert.deepEqual([...supremum.reduceMax(x, {axes: [-1]}).data], [5, 6]);
  assert.deepEqual(supremum.reduceMax(x, {axes: [0], keepdims: true}).shape, [1, 3]);
  assert.deepEqual(supremum.reduceMax(x).shape, []);
  assert.deepEqual([...supremum.reduceMax(f32([0])).data], [-Infinity]);
});

test('every type goes in and comes out', () => {
  for (const dtype of dtypes) {
    const x = supremum.parse(dtype, [2], dtype === 'bool' ? 'false true' : '1 2');
    assert.deepEqual(supremum.reduceMax(x).data, x.data.slice(1));
    if (dtype !== 'bool') assert.deepEqual(supremum.max([x]).data, x.data);
  }
  const large = {dtype: 'uint64', shape: [1], data: BigUint64Array.of(2n ** 64n - 1n)};
  assert.equal(supremum.max([large, large]).data[0], 2n ** 64n - 1n);
});

test('a view into a larger buffer is read where it lies', () => {
  const all = Float32Array.of(9, 1, 2, 9);
  const x = {dtype: 'float32', shape: [2], data: all.subarray(1, 3)};
  assert.deepEqual([...supremum.max([x]).data], [1, 2]);
});

test('large tensors make memory grow', () => {
  const n = 1 << 24;
  const a = {dtype: 'uint8', shape: [n], data: new Uint8Array(n).fill(3)};
  a.data[n - 1] = 7;
  assert.equal(supremum.max([a, a]).data[n - 1], 7);
});

test('what is explained is what is computed', () => {
  const texts = ['-0 0 nan 0xffc00001 inf -inf 0x00000001 0x80000001 1 -1', '0 -0 1 2 nan -inf 0 -0 1.5 -2'];
  const inputs = texts.map((text) => supremum.parse('float32', undefined, text));
  const why = supremum.explainMax(inputs);
  const computed = supremum.elements(supremum.max(inputs));
  assert.deepEqual(why.elements.map(({value, bits}) => ({value, bits})), computed);
  assert.deepEqual(why.elements.map((one) => one.rules.join()), ['ORD-2', 'ORD-2', 'ORD-3,ORD-4', 'ORD-3,ORD-4', 'ORD-3,ORD-4', 'ORD-2',
    'ORD-2,ORD-6', 'ORD-2,ORD-6', 'ORD-2', 'ORD-2']);
  assert.equal(why.elements[0].reason, 'of zeros, +0 is greater than -0');
  assert.deepEqual(why.elements[0].operands[0], {value: '-0', bits: '0x80000000', input: 0, position: 0});
  assert.equal(why.elements[0].won, 1);
  const nothing = supremum.explainReduceMax(f32([2, 0]), {axes: [1]});
  assert.deepEqual(nothing.elements.map((one) => [one.value, one.rules[0], one.operands.length]), [['-inf', 'RED-6', 0], ['-inf', 'RED-6', 0]]);
});

test('text becomes the nearest number, half to even, or the bits that it states', () => {
  const bits = (dtype, text) => supremum.elements(supremum.parse(dtype, undefined, text)).map((one) => one.bits);
  assert.deepEqual(bits('float16', '1 65504 65519.9 65520 6e-8 2.98e-8 5.96e-8 0.1 -2049 2051 0x7c01'),
    ['0x3c00', '0x7bff', '0x7bff', '0x7c00', '0x0001', '0x0000', '0x0001', '0x2e66', '0xe800', '0x6802', '0x7c01']);
  assert.deepEqual(bits('bfloat16', '1 3.4e38 1e39 1.00390625 1.01171875 -0 nan 9.2e-41 0xffff'),
    ['0x3f80', '0x7f80', '0x7f80', '0x3f80', '0x3f82', '0x8000', '0x7fc0', '0x0001', '0xffff']);
  assert.deepEqual(bits('float32', '0.1 0x1.8p3 -inf'), ['0x3dcccccd', '0x41400000', '0xff800000']);
  assert.deepEqual(bits('int8', '-128, 127; 0x80'), ['0x80', '0x7f', '0x80']);
});

test('what is wrong is refused by name', () => {
  refuses(() => supremum.max([f32([2], 1, 2), f32([3], 1, 2, 3)]), 'not_broadcastable', 'E1', 'input 0', 'input 1', '[2]', '[3]');
  refuses(() => supremum.max([]), 'input_count');
  refuses(() => supremum.max([f32([2], 1, 2), {dtype: 'int32', shape: [2], data: Int32Array.of(1, 2)}]), 'type_mismatch');
  refuses(() => supremum.max([f32([3], 1, 2)]), 'invalid_argument', 'input 0', '3');
  refuses(() => supremum.max([{dtype: 'float32', shape: [1], data: Float64Array.of(1)}]), 'invalid_argument', 'Float32Array');
  refuses(() => supremum.max([{dtype: 'float8', shape: [], data: []}]), 'type_not_admitted', 'float8');
  refuses(() => supremum.max([f32([1.5], 1)]), 'invalid_argument', 'not a whole number');
  refuses(() => supremum.max([f32([-1])]), 'invalid_shape');
  refuses(() => supremum.max([f32(Array(65).fill(1), 1)]), 'rank');
  refuses(() => supremum.max(f32([1], 1)), 'invalid_argument');
  refuses(() => supremum.max([null]), 'invalid_argument', 'input 0');
  refuses(() => supremum.max([{dtype: 'int16', shape: [1], data: Int16Array.of(1)}], {opset: 8}), 'type_not_admitted');
  refuses(() => supremum.max([f32([1], 1), f32([], 1)], {identicalShapesOnly: true}), 'broadcast_refused');
  refuses(() => supremum.reduceMax(f32([2], 1, 2), {axes: [1]}), 'axis');
  refuses(() => supremum.parse('int8', [1], '128'), 'invalid_argument', "'128'", 'int8');
  refuses(() => supremum.parse('float32', [2], '1 two'), 'invalid_argument', 'element 1', 'two');
  refuses(() => supremum.max([f32([2 ** 40])]), 'invalid_argument');
});

test('the example of its README prints what it says', () => {
  const text = fs.readFileSync(path.join(folder, 'README.md'), 'utf8');
  const block = /```js\n([^]*?)```/.exec(text)[1].replace(/^import .*$/m, '').replace(/await load\(\)/, 'loaded');
  const said = [], wanted = [...block.matchAll(/\/\/ prints (.*)$/gm)].map((match) => match[1]);
  new Function('loaded', 'console', block)(supremum, {log: (value) => said.push(value)});
  assert.equal(wanted.length, 2);
  assert.deepEqual([...said[0]], [0.5, 0, NaN, 4, 2, 3]);
  assert.equal(said[1], wanted[1]);
});

test('the package has what package.json lists', () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json')));
  for (const file of [...manifest.files, manifest.types, manifest.main]) assert(fs.existsSync(path.join(folder, file)), file);
});
