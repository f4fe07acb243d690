"use strict";
// Shows the JSON of `supremum check`. All texts of the model are text nodes, never markup.
const report = JSON.parse(document.getElementById("report").textContent);
const page = document.getElementById("page");

// An element with properties of its own, and children: elements, or texts.
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== null));
  return made;
}

const row = (...cells) => element("tr", "", ...cells);
const cell = (...children) => element("td", "", ...children);
const number = (value) => element("td", "number", String(value));
const rule = (name) => cell(element("code", "rule", name));
const verdict = (name) => element("span", "verdict " + name, name);

function table(className, heads, rows) {
  const numbers = ["findings", "passed", "failed", "undecided"];
  const head = heads.length ? element("thead", "", row(...heads.map((text) => element("th", numbers.includes(text) ? "number" : "", text)))) : null;
  return element("div", "wide", element("table", className, head, element("tbody", "", ...rows)));
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const titleOf = (node) => node.node + (node.scope ? ` in ${node.scope}` : "");
const open = [];  // {node, finding} that do not hold
report.nodes.forEach((node) => node.findings.forEach((finding) => {
  if (finding.verdict !== "holds") open.push({node, finding});
}));

function summary() {
  const totals = report.totals;
  const name = totals.fails ? "fails" : totals.undecided ? "undecided" : "holds";
  const text = report.nodes.length === 0 ? "The model has neither a Max nor a ReduceMax node: there is nothing to check."
    : report.holds ? `Every rule of the profile '${report.profile}' holds for every Max and ReduceMax node.`
    : `${plural(totals.fails, "check")} failed and ${totals.undecided} ${totals.undecided === 1 ? "is" : "are"} undecided.`;
  return element("p", "sum " + name, text);
}

function facts() {
  const dims = Object.entries(report.dims).map(([symbol, extent]) => `${symbol} = ${extent}`).join(", ");
  const lines = [
    ["model", element("code", "", report.model)], ["SHA-256", element("code", "", report.sha256)],
    ["opset", report.opset === null ? "none" : String(report.opset)], ["producer", report.producer || "not stated"],
    ["profile", report.profile], ["symbols bound", dims || "none"], ["checked by", `supremum ${report.supremum}`], ["date", report.date],
    ["nodes checked", String(report.totals.nodes)],
    ["nodes not judged", String(report.not_judged.reduce((sum, {nodes}) => sum + nodes, 0))],
    ["checks", `${report.totals.holds} passed, ${report.totals.fails} failed, ${report.totals.undecided} undecided`],
    ["inference of other operators", report.inference === null ? "not needed"
      : report.inference === "seccomp" ? "by the onnx library, in a sandbox" : "by the onnx library, under limits alone"]];
  return table("facts", [], lines.map(([name, value]) => row(element("th", "", name), cell(value))));
}

// One row for each rule and what to change: a cause often has many findings.
function causes() {
  const groups = new Map();
  for (const {node, finding} of open) {
    const key = JSON.stringify([finding.rule, finding.verdict, finding.change]);
    if (!groups.has(key)) groups.set(key, {finding, nodes: []});
    groups.get(key).nodes.push(node);
  }
  const sorted = [...groups.values()].sort((a, b) => (a.finding.verdict === "fails" ? 0 : 1) - (b.finding.verdict === "fails" ? 0 : 1)
    || b.nodes.length - a.nodes.length);
  return table("causes", ["rule", "verdict", "what to change", "findings", "nodes"], sorted.map(({finding, nodes}) => {
    const titles = [...new Set(nodes.map(titleOf))];
    const shown = titles.slice(0, 5).join("; ") + (titles.length > 5 ? `; and ${titles.length - 5} more` : "");
    return row(rule(finding.rule), cell(verdict(finding.verdict)), cell(finding.change), number(nodes.length), cell(shown));
  }));
}

function rules() {
  const counts = new Map();
  for (const node of report.nodes) {
    for (const finding of node.findings) {
      if (!counts.has(finding.rule)) counts.set(finding.rule, {holds: 0, fails: 0, undecided: 0});
      ++counts.get(finding.rule)[finding.verdict];
    }
  }
  return table("counts", ["rule", "passed", "failed", "undecided"], [...counts].sort().map(([name, count]) =>
    row(rule(name), number(count.holds), number(count.fails), number(count.undecided))));
}

// The node between its inputs and outputs.
function picture(node) {
  const ns = "http://www.w3.org/2000/svg";
  const add = (parent, name, attributes, text) => {
    const made = document.createElementNS(ns, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  };
  const short = (text) => text.length > 30 ? text.slice(0, 29) + "…" : text;
  const most = 12, columns = [0, 300, 520], widths = [240, 160, 240], step = 30;
  const listed = (names) => names.length > most ? [...names.slice(0, most - 1), `and ${names.length - most + 1} more`] : names;
  const inputs = listed(node.inputs), outputs = listed(node.outputs);
  const lines = Math.max(inputs.length, outputs.length, 1), height = lines * step + 4;
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", `0 0 764 ${height}`);
  svg.setAttribute("width", "764");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${node.op} takes ${node.inputs.join(", ")} and gives ${node.outputs.join(", ")}`);
  const place = (count, i) => (height - count * step) / 2 + i * step + 3;
  const middle = height / 2;
  inputs.forEach((name, i) => add(svg, "line", {x1: columns[0] + widths[0], y1: place(inputs.length, i) + 12, x2: columns[1], y2: middle}));
  outputs.forEach((name, i) => add(svg, "line", {x1: columns[1] + widths[1], y1: middle, x2: columns[2], y2: place(outputs.length, i) + 12}));
  const box = (x, y, width, text, className) => {
    add(svg, "rect", {x: x + 1, y, width: width - 2, height: 24, rx: 4, class: className});
    add(svg, "text", {x: x + width / 2, y: y + 16, "text-anchor": "middle"}, short(text));
  };
  inputs.forEach((name, i) => box(columns[0], place(inputs.length, i), widths[0], name, ""));
  box(columns[1], middle - 12, widths[1], node.op, "operator");
  outputs.forEach((name, i) => box(columns[2], place(outputs.length, i), widths[2], name, ""));
  return svg;
}

function nodes() {
  const box = element("input", "");
  box.type = "checkbox";
  box.checked = open.length > 0;
  const list = element("div", "");
  const show = () => {
    list.replaceChildren(...report.nodes.filter((node) => !box.checked || node.findings.some((one) => one.verdict !== "holds")).map((node) => {
      const findings = node.findings.filter((one) => !box.checked || one.verdict !== "holds").map((one) => row(
        rule(one.rule), cell(verdict(one.verdict)),
        cell(one.text, one.change ? element("div", "change", "to change: " + one.change) : null)));
      return element("section", "node", element("h3", "", node.node), node.scope ? element("p", "scope", "in " + node.scope) : null,
        picture(node), table("", ["rule", "verdict", "finding"], findings));
    }));
  };
  box.addEventListener("change", show);
  show();
  const label = element("label", "", box, " only what fails or is undecided");
  return element("div", "", label, list);
}

function remaining() {
  const points = [];
  if (report.totals.undecided) points.push(`${plural(report.totals.undecided, "check")} could not be decided from the model; each says what to state.`);
  points.push(...report.notes);
  points.push("Only Max and ReduceMax nodes are checked: other operators need an argument of their own.");
  if (report.inference !== null) points.push("Shapes behind other operators were inferred by the onnx library. State them, with `supremum annotate`, and check again.");
  if (report.profile === "onnx") points.push("The rules of the SONNX profile were not applied: check again with --profile sonnx.");
  points.push("That a runtime computes these nodes by the rules is another argument: `supremum extract` and `supremum-audit` test it.");
  return element("ul", "", ...points.map((text) => element("li", "", text)));
}

document.title = `${report.model}: supremum check`;
page.append(element("h1", "", "Check of ", element("code", "", report.model)), summary(), facts());
if (open.length) page.append(element("h2", "", "What to change"), causes());
if (report.nodes.length) page.append(element("h2", "", "Rules"), rules(), element("h2", "", "Nodes"), nodes());
page.append(element("h2", "", "What remains to be argued"), remaining());
