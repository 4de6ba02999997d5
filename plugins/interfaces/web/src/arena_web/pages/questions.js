// The questions of a study, one form for all of a part; what is wrong with an answer stands below its question.
import { keyOf } from "./api.js";
import { fetched, problemOf } from "./asking.js";
import { html, many, useEffect, useRef, useState } from "./html.js";
import { Wrong, say } from "./states.js";

const LONGEST = 10000;

/** A number as people write it; what is none stays as it is, and the server says so. */
const numberOf = (text) => (/^\s*[+-]?(\d+[.,]?\d*|[.,]\d+)\s*$/.test(text) ? Number(text.trim().replace(",", ".")) : text);

/** The words at a step of a scale: each may have its own, or both ends have some. */
const wordsAt = ({ steps, labels }, at) => (labels.length === steps.length ? labels[at] : { 0: labels[0], [steps.length - 1]: labels[1] }[at]);

/** What can be chosen: `[value, words, more words]`. */
const offered = (own) => (own.kind === "scale" ? own.steps.map((step, at) => [step, String(step), wordsAt(own, at)]) : own.choices.map((choice) => [choice, choice]));

function Question({ own, value, wrong, put }) {
  const id = `q-${own.name}`;
  const tied = { "aria-describedby": wrong ? `${id}-wrong` : null, "aria-invalid": wrong ? "true" : null };
  const more = html`${!own.required && html` <span class="soft small">(you may leave it out)</span>`}`;
  const told = wrong && html`<p class="form-wrong" id=${`${id}-wrong`}>${wrong}</p>`;
  if (own.kind === "choice" || own.kind === "scale") {
    const group = { "aria-describedby": tied["aria-describedby"] };
    return html`<fieldset class="scale" data-question=${own.name} ...${group}><legend dir="auto">${own.ask}${more}</legend>
      <div class=${own.kind === "scale" ? "steps" : "steps is-list"}>${offered(own).map(([each, words, beside]) => html`<label key=${words} dir="auto"><input type="radio" name=${own.name} aria-invalid=${tied["aria-invalid"]} checked=${value === each} onChange=${() => put(each)} /><span>${words}</span>${beside && html`<span class="soft">${beside}</span>`}</label>`)}</div>
      ${!own.required && value !== undefined && html`<p><button type="button" onClick=${() => put(undefined)}>Leave it out</button></p>`}${told}</fieldset>`;
  }
  const typed = (event) => put(event.target.value || undefined);
  const bounds = own.kind !== "number" ? "" : own.low !== null && own.high !== null ? `${own.low} to ${own.high}` : own.low !== null ? `from ${own.low}` : own.high !== null ? `up to ${own.high}` : "";
  const field = own.kind === "text" ? html`<textarea id=${id} rows="3" maxlength=${LONGEST} dir="auto" ...${tied} value=${value ?? ""} onInput=${typed}></textarea>` : html`<input id=${id} type="text" inputmode="decimal" size="10" autocomplete="off" ...${tied} value=${value ?? ""} onInput=${typed} />`;
  return html`<div class="scale" data-question=${own.name}><label class="asked" for=${id} dir="auto">${own.ask}${more}</label><p class="head">${field}${bounds && html`<span class="soft small">${bounds}</span>`}</p>${told}</div>`;
}

/** The form of one part; what is chosen and not sent yet survives a reload. */
export function Questions({ told, go }) {
  const { step: part, questions } = told;
  const draft = `arena.study.${told.code}.${part}`;
  const form = useRef(null);
  const [values, set] = useState(() => JSON.parse(sessionStorage.getItem(draft) ?? "{}"));
  const [{ problems, error, isBusy, first }, tell] = useState({ problems: {}, error: null, isBusy: false, first: null });
  const put = (name, value) => {
    const next = { ...values, [name]: value };
    set(next);
    sessionStorage.setItem(draft, JSON.stringify(next));
    tell({ problems: { ...problems, [name]: undefined }, error: null, isBusy: false, first: null });
  };
  useEffect(() => {
    // What is to be answered otherwise has the focus.
    if (first) form.current.querySelector(`[data-question="${first}"] :is(input, textarea)`)?.focus();
  }, [first]);
  const answers = () => Object.fromEntries(questions.map(({ name, kind }) => [name, kind === "number" && values[name] !== undefined ? numberOf(values[name]) : (values[name] ?? null)]));
  const send = async (event) => {
    event.preventDefault();
    tell({ problems: {}, error: null, isBusy: true, first: null });
    try {
      const answer = await fetched("/study/answers", { key: keyOf(), method: "POST", body: { part, answers: answers() } });
      const data = await answer.json().catch(() => ({}));
      if (answer.status === 422) {
        const found = Object.fromEntries(data.problems.map(({ question, what }) => [question, what]));
        say(`${many(data.problems.length, "question")} to be answered otherwise: ${data.problems.map(({ question, what }) => `${questions.find((own) => own.name === question)?.ask ?? question} ${what}`).join("; ")}`, true);
        return void tell({ problems: found, error: null, isBusy: false, first: questions.find(({ name }) => found[name])?.name });
      }
      if (!answer.ok) throw problemOf(answer, data, "/study/answers");
      sessionStorage.removeItem(draft);
      return void go(data);
    } catch (problem) {
      tell({ problems: {}, error: problem, isBusy: false, first: null });
      return void say(problem.what, true);
    }
  };
  return html`<form class="questions" ref=${form} onSubmit=${send} noValidate=${true} aria-label="Questions">
    ${questions.map((own) => html`<${Question} key=${own.name} own=${own} value=${values[own.name]} wrong=${problems[own.name]} put=${(value) => put(own.name, value)} />`)}
    ${error && html`<${Wrong} error=${error} />`}
    <p class="head"><button class="main" disabled=${isBusy}>Send and continue</button><span class="soft small">What is sent cannot be changed.</span></p></form>`;
}
