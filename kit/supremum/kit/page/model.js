"use strict";

// The data of the report, and the filters on it. Nothing here accesses the page.

const report = JSON.parse(document.getElementById("report").textContent);
const SCORES = ["passed", "failed", "unsupported", "unanswered"];
const MODELS = "models";
const GROUPS = { ORD: "Order", TYP: "Types", MAX: "Max", BRO: "Broadcasting", RED: "ReduceMax", PRO: "Profile", MEM: "Memory", ACC: "Accuracy" };
const TYPE_ORDER = ["bfloat16", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", MODELS];

const verdicts = new Map(report.verdicts.map((one) => [one.letter, { ...one, rules: one.rules ? one.rules.split(" ") : null }]));
const ruleText = new Map(report.rules.map((one) => [one.id, one.text]));
const ran = report.runners.filter((one) => one.status === "ran").sort((a, b) => a.own - b.own);
const runnerOf = new Map(report.runners.map((one) => [one.name, one]));
const typeOf = (one) => one.type ?? MODELS;
const operatorOf = (one) => one.operator || MODELS;
const types = TYPE_ORDER.filter((type) => report.cases.some((one) => typeOf(one) === type));
const operators = [...new Set(report.cases.map(operatorOf))];

const titleOf = (runner) => (runner.own ? runner.name : runner.runtime || runner.name);
const subtitleOf = (runner) => (runner.own ? `${runner.interface} ${runner.version}` : `${runner.version} ${runner.interface}`);
const number = (n) => n.toLocaleString("en");
const some = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;

// The rules that a verdict violates, and those that it counts as passed: as in audit_judge.h.
function broken(one, letter) {
  const verdict = verdicts.get(letter);
  if (verdict.score !== "failed") return [];
  return verdict.rules ?? [one.rules[0]];
}

/// Counts the cases for which `fits` is true, under each key of `keysOf(case, letter)`: key -> [passed, failed, ...]
function tally(runner, fits, keysOf) {
  const counts = new Map();
  for (let i = 0; i < report.cases.length; ++i) {
    const letter = runner.verdicts[i];
    const one = report.cases[i];
    if (letter === "-" || !fits(one)) continue;
    for (const [key, score] of keysOf(one, letter)) {
      let entry = counts.get(key);
      if (!entry) counts.set(key, (entry = [0, 0, 0, 0]));
      ++entry[SCORES.indexOf(score)];
    }
  }
  return counts;
}

function byRule(one, letter) {
  const { score, has_result } = verdicts.get(letter);
  const bad = broken(one, letter);
  const keys = bad.map((rule) => [rule, "failed"]);
  if (score === "failed" && !has_result) return keys;
  const others = score === "failed" ? "passed" : score;
  for (const rule of one.rules) if (!bad.includes(rule)) keys.push([rule, others]);
  return keys;
}
const byType = (one, letter) => [[typeOf(one), verdicts.get(letter).score]];
const inAll = (one, letter) => [["all", verdicts.get(letter).score]];

// The state of the filters, which is stored in the page's address after '#'.
const DEFAULTS = { runtime: "", rule: "", operator: "", type: "", outcome: "failed", q: "" };
const state = { ...DEFAULTS };

function readState() {
  const given = new URLSearchParams(location.hash.slice(1));
  const known = {
    runtime: (v) => runnerOf.has(v), rule: (v) => ruleText.has(v), operator: (v) => operators.includes(v),
    type: (v) => types.includes(v), outcome: (v) => ["failed", "unsupported", "unanswered", "any"].includes(v), q: () => true,
  };
  for (const key of Object.keys(DEFAULTS)) {
    const value = given.get(key);
    state[key] = value !== null && known[key](value) ? value : DEFAULTS[key];
  }
}

function writeState() {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) if (value !== DEFAULTS[key]) given.set(key, value);
  const hash = given.toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

/// A predicate on cases: all filters except those named in `without`.
function caseFilter(...without) {
  const type = without.includes("type") ? "" : state.type;
  const operator = without.includes("operator") ? "" : state.operator;
  const rule = without.includes("rule") ? "" : state.rule;
  return (one) =>
    (!type || typeOf(one) === type) && (!operator || operatorOf(one) === operator) && (!rule || one.rules.includes(rule));
}

/// " of Max in float16 under ORD-2": the filters that restrict the counts of a section.
function scopeText(...keys) {
  const words = { operator: " of ", type: " in ", rule: " under " };
  return keys.filter((key) => state[key]).map((key) => words[key] + state[key]).join("");
}

// Deviations and gaps in one list of the same form.
const findings = [
  ...report.deviations.map((one) => ({ ...one, score: "failed", text: one.what })),
  ...report.gaps.map((one) => ({ ...one, score: verdicts.get(one.verdict).score, rule: "" })),
].map((one) => {
  const runner = runnerOf.get(one.runner);
  const rules = one.rule ? [one.rule] : [...new Set(one.cases.flatMap((i) => report.cases[i].rules))];
  const texts = [titleOf(runner), subtitleOf(runner), one.runner, one.operator, one.rule, one.text, ruleText.get(one.rule) ?? "",
    one.smallest?.reason ?? "", one.smallest?.came_out?.text ?? "", ...one.cases.map((i) => report.cases[i].id)];
  return { ...one, runnerData: runner, rules, searched: texts.join("\n").toLowerCase() };
});
const runnerRank = new Map(ran.map((one, rank) => [one.name, rank]));
findings.sort((a, b) => runnerRank.get(a.runner) - runnerRank.get(b.runner) || SCORES.indexOf(a.score) - SCORES.indexOf(b.score));

/// The findings that match the filters, each with its matching cases.
function chosenFindings() {
  const fits = caseFilter("rule");
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = [];
  for (const one of findings) {
    if (state.outcome !== "any" && one.score !== state.outcome) continue;
    if (state.runtime && one.runner !== state.runtime) continue;
    if (state.rule && !one.rules.includes(state.rule)) continue;
    if (!words.every((word) => one.searched.includes(word))) continue;
    const cases = one.cases.filter((i) => fits(report.cases[i]));
    if (cases.length > 0) chosen.push({ ...one, chosen: cases });
  }
  return chosen;
}
