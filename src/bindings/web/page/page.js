// The page: passes the input to the library and shows the results. All rules are in the library.
import {dtypes, load, SupremumError} from '../index.js';

const EXAMPLES = {
  'Broadcasting': {dtype: 'float32', tensors: [['2,3', '1, -2, 3\n-4, 5, -6'], ['3', '0.5, 0.25, 4']]},
  'Two zeros': {dtype: 'float32', tensors: [['4', '-0, 0, -0, 0'], ['4', '0, -0, -0, 0']]},
  'NaN': {dtype: 'float32', tensors: [['4', 'nan, 1, 0xffc00001, -inf'], ['4', '1, nan, inf, 0x7f800001']]},
  'Subnormals': {dtype: 'float16', tensors: [['3', '0x0001, 0x8001, 0x8001'], ['3', '0, -0, 0x8002']]},
  'Whole numbers': {dtype: 'int64', tensors: [['2,1', '9223372036854775807, -1'], ['2', '9223372036854775806, 0']]},
  'A reduction': {operator: 'ReduceMax', dtype: 'bfloat16', axes: '-1', tensors: [['2,3', '1, nan, 3\n-0, 0, -0']]},
  'No elements': {operator: 'ReduceMax', dtype: 'float32', axes: '1', tensors: [['2,0', '']]},
  'Not broadcastable': {dtype: 'float32', tensors: [['2,3', '1 2 3 4 5 6'], ['2', '1 2']]},
};
const NAMES = ['a', 'b'];
const MOST_SHOWN = 400;

const $ = (id) => document.getElementById(id);
const form = $('ask');
let supremum;
let rules = {};
let shown;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// ---- Input.

function numbers(text, what) {
  const words = text.split(/[\s,;[\]()]+/).filter(Boolean);
  const wrong = words.find((word) => !/^[+-]?\d{1,15}$/.test(word));
  if (wrong !== undefined) throw new SupremumError({code: '', message: `${what}: '${wrong}' is not a whole number; write extents as 2,3`});
  return words.map(Number);
}

function tensorOf(m) {
  const shape = numbers(form[`shape${m}`].value, `the shape of ${NAMES[m]}`);
  try {
    return supremum.parse(form.dtype.value, shape, form[`values${m}`].value);
  } catch (error) {
    if (error instanceof SupremumError) error.message = `${NAMES[m]}: ${error.message}`;
    throw error;
  }
}

function ask() {
  const dtype = form.dtype.value;
  if (form.operator.value === 'Max') {
    const inputs = [tensorOf(0), tensorOf(1)];
    const why = supremum.explainMax(inputs);
    return {dtype, inputs, why, computed: supremum.elements(supremum.max(inputs))};
  }
  const source = tensorOf(0);
  const options = {keepdims: form.keepdims.checked};
  if (form.axes.value.trim()) options.axes = numbers(form.axes.value, 'axes');
  const why = supremum.explainReduceMax(source, options);
  return {dtype, inputs: [source], why, computed: supremum.elements(supremum.reduceMax(source, options))};
}

// ---- Output.

function indexText(shape, position) {
  const index = [];
  for (let d = shape.length; d-- > 0;) {
    index.unshift(position % shape[d]);
    position = Math.floor(position / shape[d]);
  }
  return `[${index}]`;
}

function showShapes({inputs, why}) {
  const rank = Math.max(...inputs.map((input) => input.shape.length), why.shape.length);
  const row = (name, shape, stretch) => {
    const missing = rank - shape.length;
    const cells = Array.from({length: rank}, (_, d) => {
      if (d < missing) return element('td', {class: 'absent'}, stretch ? '(1)' : '');
      const stretched = stretch && shape[d - missing] !== why.shape[d];
      return element('td', stretched ? {class: 'stretched', title: 'broadcast along this dimension (BRO-5)'} : {}, String(shape[d - missing]));
    });
    return element('tr', {}, element('th', {scope: 'row'}, name), ...cells);
  };
  const max = inputs.length > 1;
  $('shapes').replaceChildren(...inputs.map((input, m) => row(NAMES[m], input.shape, max)), row('result', why.shape, false));
}

function surprises(one) {
  return one.rules[0] === 'ORD-3' || one.rules[0] === 'ORD-4' || one.rules[0] === 'RED-6' || one.reason.startsWith('of zeros');
}

// Rows of the last dimension.
function showElements({why}) {
  const width = why.shape.at(-1) ?? 1;
  const rows = [];
  const count = Math.min(why.elements.length, MOST_SHOWN);
  for (let i = 0; i < count; ++i) {
    if (i % width === 0) {
      const row = element('tr', {role: 'row'});
      if (why.shape.length > 2) row.append(element('th', {scope: 'row'}, indexText(why.shape, i).replace(/\d+\]$/, ':]')));
      rows.push(row);
    }
    const one = why.elements[i];
    const cell = element('td', {role: 'gridcell', tabindex: i === 0 ? '0' : '-1', 'data-at': i,
      'aria-label': `${indexText(why.shape, i)}: ${one.value}, bits ${one.bits}, by ${one.rules.join(', ')}`},
      element('span', {class: 'value'}, one.value), element('span', {class: 'bits'}, one.bits), element('span', {class: 'rule'}, one.rules[0]));
    if (surprises(one)) cell.classList.add('surprise');
    rows.at(-1).append(cell);
  }
  $('elements').replaceChildren(...rows);
}

function choose(i) {
  const one = shown.why.elements[i];
  for (const cell of $('elements').querySelectorAll('td')) {
    const here = Number(cell.dataset.at) === i;
    cell.classList.toggle('chosen', here);
    cell.setAttribute('aria-selected', here);
    cell.tabIndex = here ? 0 : -1;
  }
  const operands = one.operands.slice(0, MOST_SHOWN).map((operand, k) => element('li', k === one.won ? {class: 'won'} : {},
    `${NAMES[operand.input]}${indexText(shown.inputs[operand.input].shape, operand.position)} = ${operand.value}  ${operand.bits}${k === one.won ? '  \u2190' : ''}`));
  const texts = one.rules.flatMap((rule) => [element('dt', {}, rule), element('dd', {}, rules[rule] ?? '')]);
  $('why').replaceChildren(element('h3', {}, `result${indexText(shown.why.shape, i)} = ${one.value}  ${one.bits}`),
    element('p', {}, `${one.rules[0]}: ${one.reason}.`), element('ol', {'aria-label': 'Operands'}, ...operands), element('dl', {}, ...texts));
}

function show() {
  form.parentElement.dataset.operator = form.operator.value;
  try {
    shown = ask();
  } catch (error) {
    if (!(error instanceof SupremumError)) throw error;
    $('refused').textContent = error.message;
    $('refused').hidden = false;
    $('result').hidden = true;
    return;
  }
  $('refused').hidden = true;
  $('result').hidden = false;
  const {why, computed, dtype} = shown;
  const same = computed.every((one, i) => one.bits === why.elements[i].bits) && computed.length === why.elements.length;
  const count = why.elements.length;
  $('summary').textContent = `${dtype}, shape [${why.shape}], ${count} element${count === 1 ? '' : 's'}` +
    (count > MOST_SHOWN ? `, of which ${MOST_SHOWN} are shown` : '') +
    (same ? '. The kernels and the reference agree in every bit.' : '. THE KERNELS AND THE REFERENCE DIFFER.');
  showShapes(shown);
  showElements(shown);
  $('why').replaceChildren();
  if (count > 0) choose(0);
}

// ---- The page.

function move(event) {
  const cell = event.target.closest('td');
  if (!cell) return;
  const row = cell.parentElement;
  const column = [...row.querySelectorAll('td')].indexOf(cell);
  const at = (other) => other && other.querySelectorAll('td')[column];
  const to = {ArrowLeft: cell.previousElementSibling, ArrowRight: cell.nextElementSibling, ArrowUp: at(row.previousElementSibling),
    ArrowDown: at(row.nextElementSibling), Home: row.querySelector('td'), End: row.lastElementChild}[event.key];
  if (!(event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End')) return;
  event.preventDefault();
  if (to && to.tagName === 'TD') {
    choose(Number(to.dataset.at));
    to.focus();
  }
}

function fill({operator = 'Max', dtype, axes = '', tensors}) {
  form.operator.value = operator;
  form.dtype.value = dtype;
  form.axes.value = axes;
  form.keepdims.checked = false;
  tensors.forEach(([shape, values], m) => {
    form[`shape${m}`].value = shape;
    form[`values${m}`].value = values;
  });
  show();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
}

// The texts of rules are those of semantics.md.
async function readRules() {
  const answer = await fetch('semantics.md');
  const text = answer.ok ? await answer.text() : '';
  return Object.fromEntries([...text.matchAll(/^\| ([A-Z]{3}-\d+) \| (.*) \| [^|]* \|$/gm)].map(([, id, rule]) => [id, rule.replace(/[*`]/g, '')]));
}

async function start() {
  setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  $('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
  form.dtype.append(...dtypes.map((name) => element('option', {}, name)));
  for (const [name, example] of Object.entries(EXAMPLES)) {
    const button = element('button', {type: 'button'}, name);
    button.addEventListener('click', () => fill(example));
    $('examples').append(button);
  }
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', show);
  $('elements').addEventListener('click', (event) => {
    const cell = event.target.closest('td');
    if (cell) choose(Number(cell.dataset.at));
  });
  $('elements').addEventListener('keydown', move);
  try {
    [supremum, rules] = await Promise.all([load(), readRules()]);
  } catch (error) {
    $('summary').textContent = `The library could not be loaded: ${error.message}`;
    return;
  }
  $('version').textContent = `${supremum.version}, ${supremum.target}`;
  fill(EXAMPLES.Broadcasting);
  document.documentElement.dataset.ready = 'yes';
}

start();
