// A benchmark written as a form and as YAML beside it, tried without playing, and started.
import { ask, useAnswer } from "./api.js";
import { reach } from "./form_faults.js";
import { Held } from "./held.js";
import { html, many, useEffect, useRef, useState } from "./html.js";
import { InStep, draft } from "./in_step.js";
import { Answer, Empty, Panel, Wrong, say, useTitle } from "./parts.js";
import { SchemaForm } from "./schema_form.js";
import { Starting } from "./starting.js";

const EMPTY = "name: benchmark\nseed: 0\ngames: {}\nagents: {}\n";
const SECTIONS = [
  { title: "Benchmark", names: ["name", "seed"] },
  { title: "Games", names: ["games"] },
  { title: "Agents", names: ["agents"] },
  { title: "Schedule", names: ["schedule"] },
  { title: "Limits", names: ["limits"] },
  { title: "Metrics", names: ["metrics"] },
  { title: "Everything else", names: ["illegal-actions", "observers", "executor"], isFolded: true },
];

export default function NewBenchmark({ me }) {
  useTitle("New benchmark");
  const schema = useAnswer(me && !me.read_only ? "/new/schema" : null);
  if (me && (me.read_only || me.right !== "host")) return html`<div><h1>New benchmark</h1><${Empty} text="Nothing can be started here. Start a run in a terminal: \`arena run FILE\`, or start \`arena view\` without \`--read-only\`." /></div>`;
  return html`<div><div class="head"><h1>New benchmark</h1></div>
    <${Answer} answer=${schema} rows=${10} label="loading the form">${(data) => html`<${Both} schema=${data} />`}<//></div>`;
}

/** The form and the text, kept in step, and what is said of them. */
function Both({ schema }) {
  const [, redraw] = useState(0);
  const [other, setOther] = useState(null); // a text that another one has taken the place of
  const held = useRef(null);
  const text = useRef(null);
  held.current ??= made(schema, () => redraw((old) => old + 1));
  const { form, step } = held.current;
  const isEmpty = (step.checked ?? EMPTY) === EMPTY; // what nobody touched is not blamed
  const problems = isEmpty ? [] : (step.answer?.problems ?? []);
  const isAhead = Boolean(step.ahead);
  useEffect(() => {
    const kept = draft();
    if (kept?.benchmark) {
      Object.assign(step, { text: kept.text ?? "", value: kept.benchmark, ahead: "form" });
      form.show(schema, kept.benchmark);
      step.check();
    } else step.written(kept?.text || EMPTY, true);
  }, []);
  useEffect(() => form.blame(problems), [step.answer, isEmpty]);
  useAloud(problems, Boolean(step.answer) && !isEmpty && !isAhead);
  const replace = (next, told) => {
    setOther(step.text === EMPTY ? null : step.text);
    step.lost = null;
    step.written(next, true);
    say(told);
  };
  const toLine = (line) => {
    const lines = step.text.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const field = text.current;
    field.focus();
    field.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
    field.scrollTop = Math.max(0, (line - 4) * (field.scrollHeight / Math.max(1, lines.length)));
  };
  const why = isEmpty ? "add a game and an agent first" : isAhead ? "what you changed is being checked" : step.error ? "it could not be checked" : problems.length ? `${many(problems.length, "mistake")} first` : "";
  return html`<div><${Begin} replace=${replace} />
    <div class="both">
      <div class="side-form"><${Bad} error=${step.error} again=${() => step.check()} />
        ${!step.isReadable && html`<p class="note" id="not-readable">The text is no YAML; the form follows once it is.</p>`}
        <fieldset class="plain" disabled=${!step.isReadable}><legend class="unseen">The benchmark as a form</legend><${Held} element=${form.element} /></fieldset></div>
      <div class="side-text">
        <${Panel} title="The file" aside=${html`<span class="soft small" role="status">${isAhead ? "being checked …" : step.answer ? "in step with the form" : ""}</span>`}>
          <label class="unseen" for="yaml">The benchmark as YAML</label>
          <textarea id="yaml" class="yaml" ref=${text} rows="18" spellcheck=${false} autocomplete="off" wrap="off" value=${step.text} readOnly=${step.ahead === "form"} aria-invalid=${step.isReadable ? null : "true"} onInput=${(event) => step.written(event.target.value)}></textarea>
          ${step.lost && html`<p class="note" role="status">The form rewrote the text without your comments and line breaks. <button type="button" onClick=${() => replace(step.lost, "The text is as you wrote it.")}>Bring my text back</button></p>`}
          ${other !== null && !step.lost && html`<p class="note">Another text has taken the place of yours. <button type="button" onClick=${() => replace(other, "The text is as it was before.")}>Bring the other back</button></p>`}<//>
        <${Mistakes} problems=${problems} isEmpty=${isEmpty} answer=${step.answer} reach=${(path) => reach(form, path)} toLine=${toLine} />
        <${Panel} title="Start"><${Starting} prepare=${() => ({ body: { text: step.text } })} of=${step.text} why=${why} isTriedFirst=${true} secrets=${step.answer?.secrets ?? []} heard=${() => step.check()} /><//></div></div></div>`;
}

const Bad = ({ error, again }) => error && html`<${Wrong} error=${error} again=${again} />`;

function made(schema, told) {
  const form = new SchemaForm({ name: "benchmark", sections: SECTIONS, changed: (value, change) => step.formed(value, change) });
  const step = new InStep({ ask: (body) => ask("/new/check", { body }), told, show: (value) => form.show(schema, value) });
  form.show(schema, {});
  return { form, step };
}

/** Says what is wrong once it is something else than before, and that nothing is. */
function useAloud(problems, isChecked) {
  const before = useRef("");
  const now = problems.map((own) => `${own.where}: ${own.what}`).join("; ");
  useEffect(() => {
    if (!isChecked || before.current === now) return;
    if (now) say(`${many(problems.length, "mistake")}: ${now}`, true);
    else say("No mistake is left.");
    before.current = now;
  }, [isChecked, now]);
}

/** What one begins with: a suite, or an empty file. */
function Begin({ replace }) {
  const suites = useAnswer("/new/suites");
  const [name, choose] = useState("");
  const [error, setError] = useState(null);
  const begin = async () => {
    try {
      const { text } = await ask("/new/suite", { body: { name } });
      setError(null);
      replace(text, `The suite ${name} stands in the form.`);
    } catch (found) {
      setError(found);
    }
  };
  return html`<div class="begin controls"><label>Begin with <select value=${name} onChange=${(event) => choose(event.target.value)}><option value="">choose a suite</option>${(suites.data?.suites ?? []).map((own) => html`<option key=${own.name} value=${own.name} selected=${own.name === name} title=${own.title}>${own.name}</option>`)}</select></label>
    <button type="button" disabled=${!name} onClick=${begin}>Take this suite</button>
    <button type="button" onClick=${() => replace(EMPTY, "The file is empty.")}>Empty file</button>
    ${name && html`<span class="soft small">${suites.data?.suites.find((own) => own.name === name)?.title}</span>`}
    <${Bad} error=${error ?? suites.error} /></div>`;
}

/** All mistakes, each with the way to its field and to its line. */
function Mistakes({ problems, isEmpty, answer, reach, toLine }) {
  const title = problems.length ? many(problems.length, "mistake") : "Mistakes";
  const go = (act) => (event) => {
    event.preventDefault();
    act();
  };
  return html`<${Panel} title=${title} id="mistakes">
    ${!problems.length && html`<p class="soft small">${isEmpty ? "Nothing is written yet: add a game and an agent, or begin with a suite." : answer ? "None." : "–"}</p>`}
    ${problems.length > 0 && html`<ul class="mistakes">${problems.map((own, place) => html`<li key=${place}>${own.path.length > 0 && html`<a href="#field" onClick=${go(() => reach(own.path))}>${own.where}</a>: `}<span dir="auto">${own.what}</span>${own.line && html` <a href="#yaml" class="small" aria-label=${`line ${own.line}: ${own.where}`} onClick=${go(() => toLine(own.line))}>line ${own.line}</a>`}</li>`)}</ul>`}<//>`;
}
