// The scores of one question: a scale for each dimension of each subject. Digits choose; what is complete is kept at once.
import { html, useEffect, useRef, useState } from "./html.js";
import { Wrong, say } from "./parts.js";

const STEPS = 10;

/** The choices of a scale, each with the digit that chooses it; none where a number or a text is typed. */
function choicesOf({ is_boolean: isBoolean, choices, note, is_whole: isWhole, low, high }) {
  if (isBoolean) return [{ value: true, text: "yes", digit: "1" }, { value: false, text: "no", digit: "0" }];
  if (choices.length) return choices.map((value, place) => ({ value, text: value, digit: place < 9 ? String(place + 1) : "" }));
  if (note || (isWhole && high - low > STEPS)) return [];
  const step = isWhole ? 1 : (high - low) / STEPS;
  const count = Math.round((high - low) / step) + 1;
  return Array.from({ length: count }, (_, place) => {
    const value = Number((low + place * step).toPrecision(12));
    const digit = isWhole ? String(value) : String(place);
    return { value, text: String(value), digit: /^\d$/.test(digit) ? digit : "" };
  });
}

/** Go to the next scale of a form that is not chosen yet, or to its button. */
function goOn(scale) {
  const scales = [...scale.form.querySelectorAll("[data-scale]")];
  const next = scales[scales.indexOf(scale) + 1];
  (next ? (next.querySelector(":checked") ?? next.querySelector("input, textarea")) : scale.form.querySelector("button.main"))?.focus();
}

/** One dimension: its meaning, what can be chosen, and why. */
function Dimension({ name, dimension, value, asksWhy, set }) {
  const { title, meaning, scale, note } = dimension;
  const choices = choicesOf(dimension);
  const own = note ? { score: value } : (value ?? {});
  const change = (score) => set(note ? score : { justification: "", ...own, score });
  const press = (event) => {
    const choice = /^(?:text|number|textarea)$/.test(event.target.type) || event.ctrlKey || event.metaKey || event.altKey ? null : choices.find((each) => each.digit === event.key);
    if (!choice) return;
    event.preventDefault();
    change(choice.value);
    goOn(event.currentTarget);
  };
  const isReal = !note && !choices.some((each) => typeof each.value !== "number");
  return html`<fieldset class="scale" data-scale="" onKeyDown=${press}><legend>${title}</legend>
    <p class="soft small" dir="auto">${meaning}${choices.length ? "" : ` (${scale})`}</p>
    ${choices.length > 0 && html`<div class="steps">${choices.map((each) => html`<label key=${each.text}><input type="radio" name=${name} checked=${own.score === each.value} onChange=${() => change(each.value)} /><span>${each.text}</span>${each.digit && each.digit !== each.text && html`<kbd>${each.digit}</kbd>`}</label>`)}</div>`}
    ${isReal && html`<label class="small">${choices.length ? "or exactly" : title} <${Exact} dimension=${dimension} score=${own.score} change=${change} /></label>`}
    ${note === "texts" ? html`<label class="small">one in each line <textarea rows="2" onInput=${(event) => change(event.target.value.split("\n").map((line) => line.trim()).filter(Boolean))}>${(own.score ?? []).join("\n")}</textarea></label>` : note && !choices.length && html`<label class="small">${title} <input type="text" maxlength="300" value=${own.score ?? ""} onInput=${(event) => change(event.target.value)} /></label>`}
    ${asksWhy && !note && html`<label class="small why">Why, if you like <input type="text" maxlength="400" value=${own.justification ?? ""} onInput=${(event) => set({ ...own, justification: event.target.value })} /></label>`}</fieldset>`;
}

/** A number that is typed; what is not one yet, such as "0.", stays as it is written. */
function Exact({ dimension, score, change }) {
  const place = useRef(null);
  useEffect(() => {
    if (document.activeElement !== place.current) place.current.value = score ?? "";
  }, [score]);
  const typed = ({ target }) => change(target.value === "" ? undefined : Number(target.value));
  return html`<input type="number" ref=${place} min=${dimension.low} max=${dimension.high} step=${dimension.is_whole ? 1 : "any"} onInput=${typed} />`;
}

/** Several dimensions of one thing. */
function Dimensions({ name, dimensions, value, asksWhy, set }) {
  return dimensions.map((each) => html`<${Dimension} key=${each.name} name=${`${name}/${each.name}`} dimension=${each} value=${value[each.name]} asksWhy=${asksWhy} set=${(own) => set({ ...value, [each.name]: own })} />`);
}

/** What may be found within an item, any number of times. */
function Found({ name, kind, dimensions, value, asksWhy, set }) {
  const added = () => set([...value, Object.fromEntries(dimensions.filter((own) => own.note === "texts").map((own) => [own.name, []]))]);
  return html`<div class="found"><p class="head"><b>${kind}</b><span class="soft small">${value.length || "none"}</span><button type="button" onClick=${added}>Add one</button></p>
    ${value.map((own, place) => html`<div key=${place} role="group" aria-label=${`${kind} ${place + 1}`}><${Dimensions} name=${`${name}/${kind}/${place}`} dimensions=${dimensions} value=${own} asksWhy=${asksWhy} set=${(next) => set(value.map((each, at) => (at === place ? next : each)))} />
      <button type="button" onClick=${() => set(value.filter((_, at) => at !== place))}>Take away ${kind} ${place + 1}</button></div>`)}</div>`;
}

function Item({ name, item, value, asksWhy, set }) {
  const parts = html`<div class="dimensions"><${Dimensions} name=${name} dimensions=${item.dimensions} value=${value} asksWhy=${asksWhy} set=${set} />
    ${item.found.map(({ kind, dimensions }) => html`<${Found} key=${kind} name=${name} kind=${kind} dimensions=${dimensions} value=${value[kind] ?? []} asksWhy=${asksWhy} set=${(own) => set({ ...value, [kind]: own })} />`)}</div>`;
  return item.label ? html`<div role="group" aria-label=${item.label}><h3 dir="auto">${item.label}</h3>${parts}</div>` : parts;
}

/** One subject with its scores, which are kept by its button. */
function Subject({ subject, place, asksWhy, send, over }) {
  const isPlain = subject.items.length === 1 && !subject.items[0].label;
  const [value, set] = useState(subject.scores ?? {});
  const [state, tell] = useState({ isKept: Boolean(subject.scores), error: null, isBusy: false });
  const change = (next) => (set(next), tell({ isKept: false, error: null, isBusy: false }));
  const keep = async (event) => {
    event.preventDefault();
    const form = event.target;
    tell({ ...state, isBusy: true });
    // What nothing was said about is left out.
    const scores = isPlain ? value : Object.fromEntries(Object.entries(value).filter(([, own]) => Object.keys(own).length));
    try {
      await send(place, scores);
      tell({ isKept: true, error: null, isBusy: false });
      say("Saved.");
      over(form);
    } catch (error) {
      tell({ isKept: false, error, isBusy: false });
    }
  };
  const heading = `scores-${place}`;
  return html`<form class="panel" aria-labelledby=${heading} onSubmit=${keep} noValidate=${true}><h2 id=${heading} dir="auto">${subject.heading}</h2>
    ${subject.items.map((item) => html`<${Item} key=${item.place} name=${`${place}/${item.place}`} item=${item} asksWhy=${asksWhy} value=${isPlain ? value : (value[item.place] ?? {})} set=${(own) => change(isPlain ? own : { ...value, [item.place]: own })} />`)}
    ${state.error && html`<${Wrong} error=${state.error} />`}
    <p class="head"><button class="main" disabled=${state.isBusy}>Save</button>${state.isKept && html`<span class="good" role="status">saved</span>`}</p></form>`;
}

/** All subjects of a question; after the last one it is `over`. */
export function Scored({ question, send, over }) {
  const all = useRef(null);
  const left = useRef(new Set(question.subjects.flatMap((own, place) => (own.scores ? [] : [place]))));
  const kept = (place, form) => {
    left.current.delete(place);
    const forms = [...all.current.querySelectorAll("form")];
    const next = forms.slice(forms.indexOf(form) + 1)[0];
    if (next) next.querySelector("[data-scale] :checked, [data-scale] input")?.focus();
    else if (!left.current.size) over();
  };
  return html`<div ref=${all} class="subjects">${question.subjects.map((subject, place) => html`<${Subject} key=${place} subject=${subject} place=${place} asksWhy=${question.asks_why} send=${send} over=${(form) => kept(place, form)} />`)}</div>`;
}
