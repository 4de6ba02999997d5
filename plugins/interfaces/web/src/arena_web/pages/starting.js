// What every page that starts a run has: what the run would take, the keys that it needs, and the start itself.
import { ask, useLost } from "./api.js";
import { coded, html, number, useRef, useState } from "./html.js";
import { lasting, written } from "./numbers.js";
import { Bars, Later, Wrong, say } from "./states.js";

/** The likely one of three numbers, with the least and the most where they differ. */
function spread([least, likely, most], told) {
  const text = (value) => (value === null ? "no bound" : told(value));
  return least === most ? text(likely ?? most) : `${text(likely)} (${text(least)} to ${text(most)})`;
}

/** What a run would take, as `arena run --dry-run` says it, and how many matches tell two agents apart. */
function Estimate({ estimate }) {
  const { matches, calls, cost_usd: cost, seconds, words, power } = estimate;
  const facts = [
    ["matches", number(matches)],
    ["calls to models", calls[2] === 0 ? "none" : spread(calls, (own) => number(Math.round(own)))],
    ["cost", cost ? spread(cost, (own) => written(own, "money")) : "not known"],
    ["time", seconds ? spread(seconds, lasting) : "not known"],
  ];
  return html`<div class="estimated"><dl class="pairs">${facts.flatMap(([name, told]) => [html`<dt key=${name}>${name}</dt>`, html`<dd key=${`${name} is`}>${told}</dd>`])}</dl>
    ${power.length > 0 && html`<ul class="told-apart">${power.map((own, place) => html`<li key=${place}>${coded(own)}</li>`)}</ul>`}
    <details class="fold"><summary>What this rests on, as <code>arena run --dry-run</code> says it</summary><pre class="words">${coded(words.join("\n"))}</pre></details></div>`;
}

/** The keys that a run needs, `[{name, is_set}]`: a field for each that is missing, and Forget for the others. */
function Keys({ secrets, again }) {
  if (!secrets.length) return null;
  return html`<div role="group" aria-label="Keys"><ul class="choices secrets">${secrets.map((own) => html`<li key=${own.name}><${Key} own=${own} again=${again} /></li>`)}</ul>
    <p class="soft small">Keys are kept in the memory of this server until it ends or you press Forget, and are given to the run alone.</p></div>`;
}

function Key({ own, again }) {
  const field = useRef(null);
  const [error, setError] = useState(null);
  const send = async (path, body, told) => {
    try {
      await ask(path, { body });
      setError(null);
      say(told);
      again();
    } catch (found) {
      setError(found);
    }
  };
  const set = (event) => {
    event.preventDefault();
    const key = field.current.value;
    field.current.value = "";
    if (key) send("/new/keys", { name: own.name, key }, `The key ${own.name} is set.`);
  };
  const forget = () => send("/new/keys/forget", { name: own.name }, `The key ${own.name} is forgotten.`);
  return html`${own.is_set
      ? html`<span class="press"><code>${own.name}</code> is set <button type="button" aria-label=${`Forget ${own.name}`} onClick=${forget}>Forget</button></span>`
      : html`<form class="press" onSubmit=${set}><label>Key <code>${own.name}</code> <input type="password" name=${`key-${own.name}`} autocomplete="off" spellcheck=${false} ref=${field} /></label><button>Set</button></form>`}
    ${error && html`<${Wrong} error=${error} />`}`;
}

/**
 * The dry run and the start of a run. `prepare` gives its `{body}`, to which `of` belongs, or null where it has mistakes. With
 * `isTriedFirst` Start can be pressed once the dry run has said what this very body would take. What stands in its way is `why`;
 * `secrets` are the keys it needs, `heard(names, isSet)` is told which are set or missing. `more` makes other buttons: `(press,
 * isBusy) => html`.
 */
export function Starting({ prepare, of, why = "", name = "Dry run", isTriedFirst = false, more = null, secrets = [], heard }) {
  const [told, tell] = useState({});
  const [failed, fail] = useState(null);
  const [busy, setBusy] = useState("");
  const isLost = useLost();
  const isBusy = Boolean(busy || isLost);
  const isTold = !isTriedFirst || [told.of, failed?.of].includes(of);
  const missing = secrets.filter((own) => !own.is_set).map((own) => own.name);
  const reason = why || (missing.length ? `a key is missing: ${missing.join(", ")}` : isTold ? "" : "the dry run comes first");
  /** Do something with what was prepared; `label` says what takes its time. What returns true leaves the page. */
  const press = (label, act) => async () => {
    setBusy(label);
    fail(null);
    try {
      const found = await prepare();
      if (found && (await act(found)) === true) return;
    } catch (error) {
      fail({ of, error });
      heard((error.secrets ?? []).map(String), false);
    }
    setBusy("");
  };
  const estimate = press("the dry run is made", async ({ body }) => {
    tell({});
    const data = await ask("/new/estimate", { body });
    tell({ of, data });
    say(["The dry run is there.", ...data.power].join(" "));
  });
  const begin = press("the run begins", async ({ body }) => {
    const { run } = await ask("/new/start", { body });
    say("The run has begun.");
    location.assign(`/run/${encodeURIComponent(run)}`);
    return true;
  });
  const again = () => heard([], true);
  const isFirst = isTriedFirst && !isTold;
  return html`<div class="starting"><${Keys} secrets=${secrets} again=${again} />
    <div class="controls"><button type="button" class=${isFirst ? "main" : ""} disabled=${Boolean(why) || isBusy} onClick=${estimate}>${name}</button>${more?.(press, isBusy)}
      <button type="button" class=${isFirst ? "" : "main"} disabled=${Boolean(reason) || isBusy} aria-describedby=${reason ? "why-start" : null} onClick=${begin}>Start</button>
      ${reason && html`<span class="soft small" id="why-start">${reason}</span>`}</div>
    ${busy && html`<${Bars} rows=${2} label=${busy} />`}
    ${told.data && !busy && html`<div class=${told.of === of ? "" : "is-older"}>${told.of !== of && html`<p class="soft small">as it was before the last change</p>`}<${Estimate} estimate=${told.data} /></div>`}
    ${failed && !failed.error.secrets?.length && html`<${Wrong} error=${failed.error} />`}
    ${failed?.error.secrets?.length > 0 && html`<${Later} load=${() => import("./ask_keys.js")} names=${failed.error.secrets.map(String)} error=${failed.error} close=${() => fail(null)} done=${(names) => (heard(names, true), begin())} />`}</div>`;
}
