// Draws the page, and draws it again when a filter changes.

function drawOverview() {
  const others = ran.filter((one) => !one.own);
  const own = ran.filter((one) => one.own);
  byId("lede").textContent = `${some(report.valid, "case")} with one expected output and ${some(report.invalid, "model")} that must be refused, each with a numbered rule`
    + `; run with ${some(others.length, "runtime")}${own.length ? ` and with supremum through ${some(own.length, "interface")} and targets` : ""}.`;
  const judged = others.reduce((sum, one) => sum + one.counts.passed + one.counts.failed, 0);
  const figures = [["cases", report.valid], ["invalid models", report.invalid], ["other runtimes", others.length], ["results of others", judged],
    ["failed results of others", others.reduce((sum, one) => sum + one.counts.failed, 0)], ["kinds of deviation", report.deviations.length]];
  byId("figures").replaceChildren(...figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, number(value)))));
  if (own.length === 0) return;
  const verdict = byId("verdict");
  verdict.classList.toggle("bad", !report.own_passed);
  verdict.textContent = report.own_passed ? `✓ supremum passes all of them through ${own.map((one) => one.name).join(", ")}`
    : "✗ supremum itself does not pass all of them: see its rows";
}

function drawBars() {
  const fits = caseFilter();
  byId("runtimes-scope").textContent = scopeText("operator", "type", "rule");
  const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "runtime"), h("th", { scope: "col", class: "version" }, "version"),
    h("th", { scope: "col", class: "interface" }, "interface"), h("th", { scope: "col", class: "wide" }, "outcomes"),
    ...["passed", "failed", "unsupported", "no answer"].map((name) => h("th", { scope: "col", class: "n" }, name))));
  const body = h("tbody");
  let own = false;
  for (const runner of ran) {
    if (runner.own && !own) {
      body.append(h("tr", { class: "group" }, h("th", { colspan: "8", scope: "colgroup" }, "supremum, by interface and target")));
      own = true;
    }
    const counts = tally(runner, fits, inAll).get("all") ?? [0, 0, 0, 0];
    const away = state.runtime && state.runtime !== runner.name;
    const short = ["✓", "✗", "–", "?"].map((mark, i) => (counts[i] > 0 ? `${mark} ${number(counts[i])}` : "")).filter(Boolean).join("  ");
    body.append(h("tr", { class: away ? "dim" : null }, h("th", { scope: "row" }, titleOf(runner)),
      h("td", { class: "version sub" }, runner.version), h("td", { class: "interface sub" }, runner.interface),
      h("td", { class: "wide" }, stack(counts), h("span", { class: "brief", "aria-hidden": "true" }, short || "no case")),
      ...counts.map((count, i) => h("td", { class: `n${i === 1 && count > 0 ? " bad" : ""}` }, number(count)))));
  }
  byId("bars").replaceChildren(h("caption", { class: "unseen" }, "Cases by runtime and outcome"), head, body);
  const absent = report.runners.filter((one) => one.status !== "ran").map((one) => h("li", {}, `${one.name}: ${one.status}${one.reason ? `, ${one.reason}` : ""}`));
  const stray = ran.filter((one) => one.stray_lines > 0).map((one) => h("li", {}, `${one.name}: ${some(one.stray_lines, "line")} without an answer, first: ${one.first_stray}`));
  byId("absent").replaceChildren(...absent, ...stray);
}

function drawQuestions() {
  if (report.questions.length === 0) return;
  byId("questions-section").hidden = false;
  const head = h("thead", {}, h("tr", {}, h("th", { class: "row", scope: "col" }, "runtime"), ...report.questions.map((one) => h("th", { scope: "col", class: "asked" }, one.text))));
  const right = h("tr", { class: "right" }, h("th", { class: "row", scope: "row" }, "expected"), ...report.questions.map((one) => h("td", {}, one.right)));
  const rows = ran.map((runner) => h("tr", {}, h("th", { class: "row", scope: "row", title: `${titleOf(runner)} ${subtitleOf(runner)}` }, titleOf(runner), " ",
    h("span", { class: "sub" }, runner.own ? "" : runner.version)), ...report.questions.map((one) => {
    const { score, text } = verdicts.get(runner.verdicts[one.case]);
    const answer = one.answers[runner.name];
    const look = { failed: "f2", passed: "p", unsupported: "u" }[score] ?? "n";
    return h("td", { class: look, title: text }, score === "failed" ? `✗ ${answer}` : score === "unsupported" ? "–" : answer);
  })));
  byId("questions").replaceChildren(head, h("tbody", {}, right, ...rows));
}

function draw() {
  for (const control of byId("filters").querySelectorAll("[name]")) {
    if (control.value !== state[control.name]) control.value = state[control.name];
    control.classList.toggle("set", state[control.name] !== DEFAULTS[control.name]);
  }
  drawBars();
  byId("rules-scope").textContent = scopeText("operator", "type");
  const ofRules = caseFilter("rule");
  drawGrid(byId("matrix"), byId("matrix-detail"), report.rules.map((rule) => ({ key: rule.id, text: rule.text, group: GROUPS[rule.id.split("-")[0]] ?? "Errors" })),
    (runner) => tally(runner, ofRules, byRule), "rule");
  byId("types-scope").textContent = scopeText("operator", "rule");
  const ofTypes = caseFilter("type");
  drawGrid(byId("heat"), byId("heat-detail"), types.map((type) => ({ key: type, text: type === MODELS ? "Models that must be refused." : "", group: "" })),
    (runner) => tally(runner, ofTypes, byType), "type");
  drawFindings();
}

function setState(changes) {
  Object.assign(state, changes);
  shownFindings = PAGE_OF_FINDINGS;
  writeState();
  draw();
}

function fillFilters() {
  const option = (value, text) => h("option", { value }, text);
  const fill = (name, options) => byId("filters").elements[name].replaceChildren(...options);
  fill("runtime", [option("", "all"), ...ran.map((one) => option(one.name, one.own ? one.name : `${one.runtime} ${one.version}`))]);
  fill("rule", [option("", "all"), ...report.rules.map((one) => option(one.id, one.id))]);
  fill("operator", [option("", "all"), ...operators.map((one) => option(one, one))]);
  fill("type", [option("", "all"), ...types.map((one) => option(one, one))]);
  fill("outcome", [option("failed", "failed"), option("unsupported", "unsupported"), option("unanswered", "no answer"), option("any", "any")]);
}

fillFilters();
readState();
drawOverview();
drawQuestions();
draw();
byId("made").textContent = `Made by supremum ${report.supremum} on ${report.machine ?? "an unknown machine"}. report.json in the same folder has the same data.`;
byId("filters").addEventListener("input", (event) => setState({ [event.target.name]: event.target.value }));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("reset").addEventListener("click", () => setState({ ...DEFAULTS }));
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("findings").focus();
  byId("findings").scrollIntoView();
});
addEventListener("hashchange", () => {
  readState();
  draw();
});
