// Parts of the page: elements, bars, and grids of cells.

/// An element. Attributes that begin with "on" are listeners; children are elements, or texts, which are never parsed as HTML.
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const byId = (id) => document.getElementById(id);

function stack(counts) {
  const bar = h("span", { class: "stack", "aria-hidden": "true" });
  SCORES.forEach((score, i) => {
    if (counts[i] > 0) bar.append(h("i", { class: score, style: `flex:${counts[i]} 1 0` }));
  });
  return bar;
}

/// "3 failed, 821 passed"
function inWords(counts) {
  const names = ["passed", "failed", "unsupported", "without an answer"];
  return [1, 0, 2, 3].filter((i) => counts[i] > 0).map((i) => `${number(counts[i])} ${names[i]}`).join(", ");
}

function cellClass(counts) {
  const [passed, failed, unsupported, unanswered] = counts;
  if (failed > 0) {
    const share = failed / (passed + failed);
    return share > 0.6 ? "f4" : share > 0.25 ? "f3" : share > 0.05 ? "f2" : "f1";
  }
  return passed > 0 && unanswered === 0 ? "p" : unanswered > 0 ? "n" : unsupported > 0 ? "u" : "";
}

function cellText(counts) {
  const [passed, failed, unsupported, unanswered] = counts;
  if (failed > 0) return `✗ ${failed}`;
  if (unanswered > 0) return `? ${unanswered}`;
  return passed > 0 ? `✓ ${passed}` : unsupported > 0 ? "–" : "";
}

/// Fills a table with a row for each runtime and the given `columns` ({key, group}); `countsOf(runner)` returns a Map from a key to
/// counts. `filter` is the filter that a click on a column sets. Rows and columns that the filters exclude are shown pale.
function drawGrid(table, detail, columns, countsOf, filter) {
  const groups = [];
  for (const column of columns) {
    if (groups.at(-1)?.name === column.group) ++groups.at(-1).span;
    else groups.push({ name: column.group, span: 1 });
  }
  const head = h("thead");
  if (columns.some((column) => column.group)) {
    head.append(h("tr", { class: "groups" }, h("th", { class: "row" }), ...groups.map((one) => h("th", { colspan: one.span, scope: "colgroup" }, one.name))));
  }
  const choose = (changes) => setState(Object.entries(changes).every(([key, value]) => state[key] === value)
    ? Object.fromEntries(Object.keys(changes).map((key) => [key, ""])) : changes);
  const headRow = h("tr", {}, h("th", { class: "row", scope: "col" }, "runtime"));
  for (const column of columns) {
    const chosen = state[filter] === column.key;
    headRow.append(h("th", { class: `column${chosen ? " chosen" : ""}`, scope: "col",
      onclick: () => choose({ [filter]: column.key }), onmouseenter: () => (detail.textContent = column.text) }, column.key));
  }
  head.append(headRow);
  const body = h("tbody");
  let own = false;
  for (const runner of ran) {
    if (runner.own && !own) {
      body.append(h("tr", { class: "group" }, h("th", { colspan: columns.length + 1, scope: "colgroup" }, "supremum, by interface and target")));
      own = true;
    }
    const counts = countsOf(runner);
    const away = state.runtime && state.runtime !== runner.name;
    const row = h("tr", {}, h("th", { class: `row${state.runtime === runner.name ? " chosen" : ""}${away ? " away" : ""}`, scope: "row",
      title: `${titleOf(runner)} ${subtitleOf(runner)}`, onclick: () => choose({ runtime: runner.name }) }, titleOf(runner), " ",
      h("span", { class: "sub" }, runner.own ? "" : runner.version)));
    for (const column of columns) {
      const cell = counts.get(column.key) ?? [0, 0, 0, 0];
      const any = cell.some((count) => count > 0);
      const chosen = state.runtime === runner.name && state[filter] === column.key;
      const pale = away || (state[filter] && state[filter] !== column.key);
      const words = any ? inWords(cell) : "no case";
      const show = () => detail.replaceChildren(h("b", {}, `${titleOf(runner)} ${subtitleOf(runner)}, ${column.key}`), `: ${words}. `, column.text);
      row.append(h("td", { class: `${cellClass(cell)}${chosen ? " chosen" : ""}${pale ? " away" : ""}`,
        "aria-label": `${titleOf(runner)}, ${column.key}: ${words}`, onmouseenter: show,
        onclick: () => choose({ runtime: runner.name, [filter]: column.key }) }, cellText(cell), any ? stack(cell) : null));
    }
    body.append(row);
  }
  table.replaceChildren(head, body);
}
