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
  return html`<${Panel} title="What happened">${news.length ? html`<ol class="log" tabindex="0" aria-label="what you were told, newest last" ref=${list}>${news.map((own, place) => html`<li key=${place} class=${own.is_own ? "is-own" : ""}><time class="soft" datetime=${new Date(own.heard).toISOString()}>${timeOf(own.heard)}</time> <span dir="auto">${own.words}</span>${own.is_private && html` <i class="soft" title="not everybody was told this">private</i>`}</li>`)}</ol>` : html`<p class="soft small">Nothing has happened yet.</p>`}<//>`;
}

export function Rules({ text }) {
  return html`<details class="fold" id="rules"><summary>Rules</summary><div class="folded prose" dir="auto">${text}</div></details>`;
}

/** Get up, which is asked once. */
export function GetUp({ leave }) {
  const [isAsked, ask] = useState(false);
  return html`<span class="with"><button type="button" onClick=${() => ask(true)}>Leave …</button>${isAsked && html`<${Later} load=${() => import("./get_up.js")} leave=${leave} close=${() => ask(false)} />`}</span>`;
}

// ---- look-ups ----

const left = (query) => (typeof query.left === "number" ? `${query.left} left` : "");
const titleOf = (query) => (query.title || query.name).replaceAll("_", " ");

/** What may be looked up and how often; each is fetched when it is pressed, or when the picture asks for it. */
export function LookUps({ place, turn, acting }) {
  const { asking, setAsking } = acting;
  const query = turn.queries.find((own) => own.name === asking?.query);
  return html`<${Panel} title="Look up">
    <div class="tabs" role="group" aria-label="what to look up">${turn.queries.map((own) => html`<button type="button" key=${own.name} title=${own.description} aria-pressed=${own === query ? "true" : "false"} onClick=${() => setAsking(own === query ? null : { query: own.name })}>${titleOf(own)}${left(own) && html` <span class="soft">${left(own)}</span>`}</button>`)}</div>
    ${query && html`<${Later} load=${() => import("./look_up.js")} key=${query.name} place=${place} query=${query} title=${titleOf(query)} acting=${acting} />`}<//>`;
}
