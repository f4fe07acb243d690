// The list of findings.

const PAGE_OF_FINDINGS = 60;
const MOST_IDS = 400;

/// A zero with its sign, if the type is a float.
const withSign = (value, type) => (value === "0" && type.includes("float") ? "+0" : value);

function tensorElements(type, tensor, right) {
  if (!tensor.elements) return h("div", { class: "said" }, `shape [${tensor.shape.join(",")}], bits ${tensor.bits || "none"}`);
  const same = right && right.elements && String(right.shape) === String(tensor.shape);
  const list = h("ul", { class: "elements", tabindex: tensor.elements.length > 40 ? "0" : null });
  tensor.elements.forEach(([plain, bits], i) => {
    const value = withSign(plain, type);
    const wrong = same && right.elements[i][1] !== bits;
    list.append(h("li", { class: wrong ? "wrong" : null }, wrong ? `✗ ${value}` : value, h("span", { class: "bits" }, bits)));
  });
  if (tensor.elements.length < tensor.size) list.append(h("li", { class: "more" }, `and ${number(tensor.size - tensor.elements.length)} more`));
  if (tensor.size === 0) list.append(h("li", { class: "more" }, "no elements"));
  return list;
}

function tensorRow(label, type, tensor, right) {
  const shape = tensor.shape ? `${type}[${tensor.shape.join(",")}]` : "";
  return h("div", { class: "tensor" }, h("div", { class: "label" }, h("b", {}, label), shape),
    tensor.text === undefined ? tensorElements(type, tensor, right) : h("div", { class: "said" }, tensor.text || "(no text)"));
}

/// "-0, 1" of the first elements.
function brief(tensor, type = "") {
  if (tensor.text !== undefined) return tensor.text;
  if (!tensor.elements) return tensor.bits;
  const shown = tensor.elements.slice(0, 4).map(([value]) => withSign(value, type)).join(", ");
  return tensor.size > 4 ? `[${shown}, …]` : tensor.size === 1 ? shown : `[${shown}]`;
}

function briefText(one) {
  const smallest = one.smallest;
  if (!smallest) return `e.g. ${report.cases[one.chosen[0]].id}`;
  if (!smallest.inputs) return `${smallest.model} ${brief(smallest.came_out)}; expected ${brief(smallest.right)}`;
  const { type } = report.cases[smallest.case];
  const inputs = smallest.inputs.slice(0, 3).map((input) => brief(input, type)).join("; ") + (smallest.inputs.length > 3 ? "; …" : "");
  const came = smallest.came_out.text === undefined ? `returned ${brief(smallest.came_out, type)}` : `failed: ${brief(smallest.came_out)}`;
  return `${one.operator}(${inputs}) ${came}; expected ${brief(smallest.right, type)}`;
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page from a file may have no clipboard object: the older interface.
    const area = h("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1600);
}

function commandRow(command) {
  const button = h("button", { type: "button", "aria-label": "Copy the command", "aria-live": "polite" }, "Copy");
  button.addEventListener("click", () => copy(button, command));
  return h("div", { class: "command" }, h("code", { tabindex: "0" }, command), button);
}

function findingBody(one) {
  const body = h("div", { class: "body" });
  const smallest = one.smallest;
  if (smallest) {
    body.append(h("p", { class: "rule-text" }, h("b", {}, `${one.rule} `), ruleText.get(one.rule) ?? ""));
    body.append(h("p", {}, h("span", { class: "hint" }, "Smallest case "), h("code", {}, smallest.id), h("span", { class: "hint" },
      `${smallest.opset ? ` · ${one.operator}, opset ${smallest.opset}` : ""}${smallest.attributes ? `, ${smallest.attributes}` : ""} · ${smallest.reason}`)));
    const type = report.cases[smallest.case].type ?? "";
    if (smallest.model) body.append(tensorRow("model", "", { text: smallest.model }));
    const inputs = smallest.inputs ?? [];
    inputs.slice(0, 16).forEach((input, i) => body.append(tensorRow(`input ${i}`, type, input)));
    if (inputs.length > 16) body.append(h("p", { class: "hint" }, `and ${inputs.length - 16} more inputs`));
    body.append(tensorRow("actual", type, smallest.came_out, smallest.right), tensorRow("expected", type, smallest.right));
  } else if (one.text) {
    body.append(h("p", { class: "said" }, one.text));
  }
  body.append(commandRow(smallest?.reproduce ?? one.reproduce));
  const all = h("details", { class: "all" }, h("summary", {}, one.chosen.length === 1 ? "The case" : `All ${some(one.chosen.length, "case")}`));
  all.addEventListener("toggle", () => {
    if (all.open && all.children.length === 1) {
      all.append(h("ul", { class: "ids" }, ...one.chosen.slice(0, MOST_IDS).map((i) => h("li", {}, report.cases[i].id)),
        one.chosen.length > MOST_IDS ? h("li", {}, `and ${one.chosen.length - MOST_IDS} more, in report.json`) : null));
    }
  });
  body.append(all);
  return body;
}

function findingElement(one) {
  const counts = new Map();
  for (const i of one.chosen) counts.set(typeOf(report.cases[i]), (counts.get(typeOf(report.cases[i])) ?? 0) + 1);
  const inTypes = [...counts].sort((a, b) => types.indexOf(a[0]) - types.indexOf(b[0])).map(([type, n]) => `${type} ${n}`).join(" · ");
  const [tag, mark, word] = { failed: [one.rule, "✗", ""], unsupported: ["–", "–", "unsupported: "], unanswered: ["?", "?", "no answer: "] }[one.score];
  const element = h("details", { class: "finding" }, h("summary", {},
    h("span", { class: `tag ${one.score[0] === "f" ? "" : one.verdict}` }, one.score === "failed" ? `${mark} ${tag}` : mark),
    h("span", { class: "what" }, one.operator ? `${one.operator}: ` : "", word, one.text || "no text"),
    h("span", { class: "count" }, some(one.chosen.length, "case")),
    h("span", { class: "brief" }, briefText(one), one.operator ? ` — ${inTypes}` : "")));
  element.addEventListener("toggle", () => {
    if (element.open && element.children.length === 1) element.append(findingBody(one));
  });
  return element;
}

let shownFindings = PAGE_OF_FINDINGS;

function drawFindings() {
  const chosen = chosenFindings();
  const total = findings.filter((one) => state.outcome === "any" || one.score === state.outcome).length;
  byId("shown").textContent = chosen.length === total ? `${some(total, "finding")}. Each opens to its smallest case.`
    : `${number(chosen.length)} of ${some(total, "finding")}.`;
  const list = byId("list");
  list.replaceChildren();
  let runner = "";
  for (const one of chosen.slice(0, shownFindings)) {
    if (one.runner !== runner) {
      runner = one.runner;
      list.append(h("h3", {}, titleOf(one.runnerData), " ", h("span", { class: "sub" }, subtitleOf(one.runnerData))));
    }
    list.append(findingElement(one));
  }
  if (chosen.length === 0) {
    list.append(h("p", { class: "none" }, total === 0 && state.outcome === "failed" ? "No deviation: every result is equal to the expected one in every bit."
      : "Nothing matches these filters."));
  }
  if (chosen.length > shownFindings) {
    list.append(h("button", { type: "button", class: "more-findings", onclick: () => {
      const from = shownFindings;
      shownFindings += PAGE_OF_FINDINGS;
      drawFindings();
      list.querySelectorAll(".finding")[from]?.querySelector("summary").focus();
    } }, `Show ${Math.min(PAGE_OF_FINDINGS, chosen.length - shownFindings)} more`));
  }
}
