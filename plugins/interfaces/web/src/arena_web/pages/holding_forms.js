// What is asked before a run goes on: how often each seating is played, how much may be used.
import { html, many, number, useEffect, useRef } from "./html.js";
import { written } from "./numbers.js";

const BUDGETS = { "budget-usd": "dollars", "budget-tokens": "tokens", "budget-calls": "calls" };

/** A form whose first field has the focus, as long as it is open; Escape closes it. */
function Form({ label, text, busy, submit, close, children }) {
  const place = useRef(null);
  useEffect(() => place.current.querySelector("input, select")?.focus(), []);
  const send = (event) => {
    event.preventDefault();
    submit(new FormData(event.target));
  };
  return html`<form class="asked" aria-label=${label} ref=${place} onSubmit=${send} onKeyDown=${(event) => event.key === "Escape" && close()}>${children}
    <div class="controls"><button class="main" disabled=${Boolean(busy)}>${text}</button><button type="button" onClick=${close}>Close</button></div></form>`;
}

export function Repeats({ data, busy, send, close }) {
  const least = (data.repeats ?? 0) + 1;
  return html`<${Form} label="Extend the run" text="Extend and play" busy=${busy} close=${close} submit=${(found) => send(Number(found.get("repeats")))}>
    <label>Play each seating in all <input type="number" name="repeats" min=${least} max="1000000" required=${true} value=${data.repeats ? 2 * data.repeats : ""} /> times</label>
    <p class="soft small">${data.repeats && `It is ${number(data.repeats)} now. `}What was played stays.${data.cost && ` ${written(data.cost, "money")} were spent on the ${many(data.done, "match", "matches")} so far.`}</p><//>`;
}

export function Budgets({ budgets, busy, send, close }) {
  return html`<${Form} label="Resume the run" text="Resume" busy=${busy} close=${close} submit=${(found) => send(Object.fromEntries(budgets.map(([name]) => [name, Number(found.get(name))])))}>
    ${budgets.map(([name, value]) => html`<label key=${name}>It may use in all <input type="number" name=${name} min="0" step="any" required=${true} value=${value} /> ${BUDGETS[name]}</label>`)}<//>`;
}
