// What stands beside a turn: who plays, what was told, what can be looked up, and getting up.
import { html, useEffect, useRef, useState } from "./html.js";
import { Badge, Later, Panel } from "./states.js";

/** Who sits at the table; of the others only what players are told. */
export function Players({ players, returns = null }) {
  return html`<${Panel} title="Players"><ul class="players">${players.map((own) => html`<li class="player" key=${own.player}><${Badge} player=${own.player} /><span class="who"><b>${own.name}</b>${(own.is_you || own.agent) && html`<span class="soft small">${own.is_you ? "you" : own.agent}</span>`}</span>${returns && html`<span class="result">${returns[own.player] > 0 ? "+" : ""}${Number(returns[own.player].toPrecision(6))}</span>`}</li>`)}</ul><//>`;
}

const timeOf = (moment) => new Date(moment).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Everything that this player was told in this match, and when, the newest at the end. */
export function Log({ news }) {
  const list = useRef(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [news.length]);
  return html`<${Panel} title="What happened">${news.length ? html`<ol class="log" tabindex="0" aria-label="what you were told, newest last" ref=${list}>${news.map((own, place) => html`<li key=${place} class=${own.is_own ? "is-own" : ""}><time class="soft" datetime=${new Date(own.heard).toISOString()}>${timeOf(own.heard)}</time> <span dir="auto">${own.words}</span></li>`)}</ol>` : html`<p class="soft small">Nothing has happened yet.</p>`}<//>`;
}

export function Rules({ text }) {
  return html`<details class="fold" id="rules"><summary>Rules</summary><div class="folded prose" dir="auto">${text}</div></details>`;
}

/** Get up, which is asked once. */
export function GetUp({ leave }) {
  const [isAsked, ask] = useState(false);
  return html`<span class="with"><button type="button" onClick=${() => ask(true)}>Get up …</button>${isAsked && html`<${Later} load=${() => import("./get_up.js")} leave=${leave} close=${() => ask(false)} />`}</span>`;
}

// ---- look-ups --------------------------------------------------------------------------------------------------------

const left = (query) => (typeof query.left === "number" ? `${query.left} left` : "");
const titleOf = (query) => (query.title || query.name).replaceAll("_", " ");

/** Look-ups, shown when they are pressed; `asking` is one that the picture asks for, `use` takes an action of an answer. */
export function LookUps({ place, turn, canAct, asking, use }) {
  const [open, setOpen] = useState(null);
  const [found, setFound] = useState(null);
  const answer = useRef(null);
  const query = turn.queries.find((own) => own.name === open);
  const ask = async (name, given) => {
    setOpen(name);
    setFound({ name, isAwaited: true });
    try {
      setFound({ name, given, ...(await place.lookUp(name, given)) });
    } catch (error) {
      setFound({ name, error });
    }
    answer.current?.focus();
  };
  useEffect(() => {
    if (asking) ask(asking.query, asking.given);
  }, [asking]);
  return html`<${Panel} title="Look up">
    <div class="tabs" role="group" aria-label="what to look up">${turn.queries.map((own) => html`<button type="button" key=${own.name} title=${own.description} aria-pressed=${own.name === open ? "true" : "false"} onClick=${() => (setOpen(own.name === open ? null : own.name), setFound(null))}>${titleOf(own)}${left(own) && html` <span class="soft">${left(own)}</span>`}</button>`)}</div>
    ${query && html`<${Later} load=${() => import("./question.js")} key=${query.name} title=${titleOf(query)} query=${query} canAsk=${canAct && query.left !== 0} ask=${(given) => ask(query.name, given)} />`}
    ${found && html`<div class="answer" ref=${answer} tabindex="0" aria-label="answer" role="group">
      ${found.isAwaited ? html`<p class="soft" role="status">looking up …</p>` : html`<${Later} load=${() => import("./look_up.js")} found=${found} canAct=${canAct} use=${use} />`}</div>`}<//>`;
}
