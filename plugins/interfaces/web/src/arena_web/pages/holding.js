// What a host does with a run: holds it while it is played, plays it on, makes it larger.
import { mayHold, useDoing } from "./doing.js";
import { html, many, number, useEffect, useRef, useState } from "./html.js";
import { written } from "./numbers.js";
import { Wrong, isLive } from "./parts.js";

const BUDGETS = { "budget-usd": "dollars", "budget-tokens": "tokens", "budget-calls": "calls" };

/** A button that says why it cannot be pressed. */
function Press({ name, text, why = "", title = null, busy, act }) {
  return html`<span class="press"><button type="button" title=${title} disabled=${Boolean(why || busy)} aria-describedby=${why ? `why-${name}` : null} onClick=${act}>${text}</button>${why && html`<span class="soft small" id=${`why-${name}`}>${why}</span>`}</span>`;
}

/** What may be done to a run; what may not says why. */
export function Holding({ run, data, me, again }) {
  const { act, error, busy } = useDoing(again);
  const [form, open] = useState("");
  if (!mayHold(me)) return null;
  const path = (what) => `/run/${run}/${what}`;
  const budgets = Object.entries(data.budgets);
  const press = (what, done) => () => act(path(what), {}, done);
  const resume = (limits) => act(path("resume"), { limits }, "The run goes on.").then((isDone) => isDone && open(""));
  return html`<div class="holding" role="group" aria-label="Hold the run">
    ${isLive(data.state) && html`${data.state === "paused" ? html`<${Press} name="continue" text="Continue" why=${data.no_holding} busy=${busy} act=${press("continue", "The run goes on.")} />` : html`<${Press} name="pause" text="Pause" why=${data.no_holding} title="what is being asked is kept; nothing more is asked" busy=${busy} act=${press("pause", "The run is paused.")} />`}
    ${!data.no_holding && html`<${Press} name="stop" text="Stop" title="ends the run cleanly; Resume goes on" busy=${busy} act=${press("stop", "The run stops.")} />`}`}
    ${!isLive(data.state) && html`<${Press} name="resume" text="Resume" title="plays what is left in a process of its own" why=${data.no_resume} busy=${busy} act=${() => (budgets.length ? open("resume") : resume({}))} />`}
    <${Press} name="extend" text="Extend" title="plays each seating more often" why=${data.no_extending} busy=${busy} act=${() => open("extend")} />
    ${busy && busy !== "lost" && html`<span class="soft small" role="status">a moment …</span>`}
    ${form === "resume" && !data.no_resume && html`<${Budgets} budgets=${budgets} busy=${busy} send=${resume} close=${() => open("")} />`}
    ${form === "extend" && !data.no_extending && html`<${Repeats} data=${data} busy=${busy} send=${(repeats) => act(path("extend"), { repeats }, "The run is larger and goes on.").then((isDone) => isDone && open(""))} close=${() => open("")} />`}
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}

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

function Repeats({ data, busy, send, close }) {
  const least = (data.repeats ?? 0) + 1;
  return html`<${Form} label="Extend the run" text="Extend and play" busy=${busy} close=${close} submit=${(found) => send(Number(found.get("repeats")))}>
    <label>Play each seating in all <input type="number" name="repeats" min=${least} max="1000000" required=${true} value=${data.repeats ? 2 * data.repeats : ""} /> times</label>
    <p class="soft small">${data.repeats && `It is ${number(data.repeats)} now. `}What was played stays.${data.cost && ` ${written(data.cost, "money")} were spent on the ${many(data.done, "match", "matches")} so far.`}</p><//>`;
}

function Budgets({ budgets, busy, send, close }) {
  return html`<${Form} label="Resume the run" text="Resume" busy=${busy} close=${close} submit=${(found) => send(Object.fromEntries(budgets.map(([name]) => [name, Number(found.get(name))])))}>
    ${budgets.map(([name, value]) => html`<label key=${name}>It may use in all <input type="number" name=${name} min="0" step="any" required=${true} value=${value} /> ${BUDGETS[name]}</label>`)}<//>`;
}
