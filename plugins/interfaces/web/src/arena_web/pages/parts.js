// What pages of runs are made of: what of an answer there is, parts that come later, chips; and what every page has.
import { coded, html } from "./html.js";
import { Bars, Wrong } from "./states.js";

export { Badge, Bars, Later, Panel, Wrong, say, useTitle } from "./states.js";

/** What the project's words mean, as titles. */
export const MEANINGS = {
  refusal: "a response that was unreadable or not a legal action; the player was told why and asked again",
  substitute: "a fallback move: chosen by the policy for illegal moves, not by the player",
  forfeit: "a match given up: its player is counted as having lost",
  withheld: "an action that was accepted and not played, since another player of the same step forfeited",
  seat: "the player's part in the game, as the game names it",
  block: "matches that share their deals; they count as one",
};

/** How marks of turns are shown, where it is not the mark itself. */
export const MARKS = { refused: "invalid", substitute: "fallback move", "looked-up": "query" };

/** Where there is nothing: what would be here, and what makes it so. */
export const Empty = ({ text, children }) => html`<p class="empty">${coded(text)}${children && html` ${children}`}</p>`;

/** What of an answer there is: bars, what went wrong, or what `children` makes of the data. */
export function Answer({ answer, rows = 3, label, older = false, children }) {
  if (answer.error && !answer.data) return html`<${Wrong} error=${answer.error} again=${answer.error.status === 401 ? null : answer.again} />`;
  const data = answer.data ?? (older ? answer.before : null);
  if (!data) return html`<${Bars} rows=${rows} label=${label} />`;
  return html`<div aria-busy=${answer.data ? null : "true"} class=${answer.data ? "" : "is-older"}>${children(data)}</div>`;
}

/** Have a style sheet, by its name; returns once it is there. */
export async function styled(name) {
  const href = `/static/${name}.css`;
  if (document.querySelector(`link[href="${href}"]`)) return;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  await new Promise((done) => (link.onload = link.onerror = done));
}

/** Whether a run in this state may still change. */
export const isLive = (state) => ["running", "waiting", "paused"].includes(state);

const TONES = { finished: "good", running: "live", waiting: "live", stopped: "warn", paused: "warn", damaged: "bad", unknown: "bad", failed: "bad", playing: "live", elsewhere: "warn" };
export function Chip({ state, title = null, text = state }) {
  return html`<span class=${`chip ${TONES[state] ?? ""}`} title=${title}>${TONES[state] === "live" && html`<span class="dot"></span>`}${text}</span>`;
}

