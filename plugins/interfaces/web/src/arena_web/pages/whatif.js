// What another agent would play in a turn, and a new match that goes on from there with it.
import { ask, useLost } from "./api.js";
import { html, many, number, useEffect, useState } from "./html.js";
import { written } from "./numbers.js";
import { Bars, Wrong, say } from "./parts.js";
import { Fold, Long, Try, triesOf } from "./turn.js";

/** What was asked of the server, and what came of it; a later question takes the place of an earlier one. */
function useAsked(path) {
  const [state, set] = useState({ what: "", isBusy: false, data: null, error: null });
  const send = (what, body, done = () => {}) => {
    set({ what, isBusy: true, data: null, error: null });
    return ask(`${path}/${what}`, { body }).then(
      (data) => {
        set({ what, isBusy: false, data, error: null });
        done(data);
      },
      (error) => set({ what, isBusy: false, data: null, error }),
    );
  };
  return [state, send];
}

export default function WhatIf({ path, turn, row }) {
  const [agents, list] = useAsked(path);
  const [cost, price] = useAsked(path);
  const [found, send] = useAsked(path);
  const [agent, choose] = useState("");
  const isLost = useLost();
  useEffect(() => {
    list("agents", {});
  }, []);
  useEffect(() => {
    if (agent) price("price", { turn, agent });
  }, [agent]);
  if (agents.error) return html`<${Wrong} error=${agents.error} />`;
  if (!agents.data) return html`<${Bars} rows=${2} label="looking which agents can play here" />`;
  const isReady = agent && cost.data && !found.isBusy && !isLost;
  const option = (name, title) => html`<option key=${name} value=${name} selected=${name === agent}>${title}</option>`;
  return html`<div class="what-if">
    <label class="small">Agent <select value=${agent} onChange=${(event) => choose(event.target.value)}><option value="">choose one</option>
      <optgroup label="of this run">${agents.data.of_run.map((own) => option(own.name, own.title))}</optgroup>
      ${agents.data.installed.length > 0 && html`<optgroup label="installed">${agents.data.installed.map((name) => option(name, name))}</optgroup>`}</select></label>
    ${agent && html`<p class="small soft" role="status">${cost.data ? costOf(cost.data) : cost.isBusy ? "What it may cost is being computed …" : ""}</p>`}
    ${cost.data && html`<p class="small soft">To play on: ${cost.data.playing_on.join(" ")}</p>`}
    ${cost.error && html`<${Wrong} error=${cost.error} />`}
    <div class="controls"><button type="button" disabled=${!isReady} onClick=${() => send("ask", { turn, agent }, (data) => say(`${agent} would play ${data.action ?? "nothing"}.`))}>Ask it here</button>
      <button type="button" disabled=${!isReady} onClick=${() => send("branch", { turn, agent }, () => say("The new match has begun."))}>Play on from here</button></div>
    ${found.isBusy && html`<${Bars} rows=${3} label=${found.what === "ask" ? `${agent} is being asked` : "the new match begins"} />`}
    ${found.error && html`<${Wrong} error=${found.error} />`}
    ${found.data && found.what === "ask" && html`<${Asked} path=${path} data=${found.data} row=${row} />`}
    ${found.data && found.what === "branch" && html`<p>A new run of one match has begun: <a href=${`/run/${found.data.run}/match/${found.data.match}`}>${found.data.run}</a>. It has the same deals and moves up to here.</p>`}</div>`;
}

/** What asking may cost at most, in words. */
function costOf(cost) {
  if (!cost.calls) return "To ask it here: it asks no model, nothing is paid.";
  const most = cost.cost_usd === null ? "its price is not known" : `at most ${written(cost.cost_usd, "money")}`;
  const tries = cost.tries > 1 ? `, up to ${number(cost.tries)} tries if a response is invalid` : "";
  return `To ask it here: it asks a model; one try has ${many(cost.calls, "call")}, at most ${number(cost.prompt_tokens)} tokens read and ${number(cost.completion_tokens)} written: ${most}${tries}.`;
}

/** The answer beside the recorded one. */
function Asked({ path, data, row }) {
  const tries = triesOf(data);
  const action = data.action ?? "nothing: it would have lost by forfeit";
  return html`<div>
    <dl class="beside"><div><dt>recorded</dt><dd dir="auto">${row.action || "nothing: forfeit"}</dd></div><div><dt>${data.agent}${data.is_substitute && ", by the policy for illegal moves"}</dt><dd dir="auto">${action}</dd></div></dl>
    <p class="small soft">${data.action === data.recorded ? "It plays the same." : "It plays something else."} Nothing of this is recorded.</p>
    ${data.look_ups.map((own, index) => html`<${Fold} key=${index} title=${`Looked up: ${own.query}`}><${Long} path=${path} text=${own.answer} label=${`${data.agent}: answer to ${own.query}`} /><//>`)}
    ${tries.map((own, index) => html`<${Try} key=${index} path=${path} own=${own} index=${index} count=${tries.length} isSubstitute=${data.is_substitute && index === tries.length - 1} who=${data.agent} />`)}</div>`;
}
