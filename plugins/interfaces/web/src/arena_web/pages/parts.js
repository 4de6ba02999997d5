// What all pages are made of: what is said while something loads, is empty or went wrong; panels, chips.
import { coded, html, useEffect, useState } from "./html.js";

/** What the project's words mean, as titles. */
export const MEANINGS = {
  refusal: "an answer that the rules or the reader did not accept; the player was told why and asked again",
  substitute: "an action that the policy for illegal actions put in for a player; nobody meant it",
  forfeit: "a match given up: its player is counted as having lost",
  withheld: "an action that was accepted and not played, since another player of the same step forfeited",
  seat: "the place at the table, with its name in the game",
  block: "matches that share their deals; they count as one",
};

// ---- states ----------------------------------------------------------------------------------------------------------

/** Grey bars where something will stand. */
export function Bars({ rows = 3, label = "loading" }) {
  return html`<div class="bars" role="status"><span class="unseen">${label} …</span>${Array.from({ length: rows }, (_, row) => html`<i key=${row} class=${`bar-${row % 4}`}></i>`)}</div>`;
}

/** Where there is nothing: what would be here, and what makes it so. */
export const Empty = ({ text, children }) => html`<p class="empty">${coded(text)}${children && html` ${children}`}</p>`;

/** What went wrong, where, and what to do; the rest of the page still works. */
export function Wrong({ error, again = null }) {
  return html`<div class="wrong" role="alert">
    <p><b>${coded(error.what)}</b>${error.where && html` <span class="soft">(${error.where})</span>`}</p>
    ${error.remedy && html`<p>${coded(error.remedy)}</p>`}
    ${again && html`<button type="button" onClick=${again}>Try again</button>`}
  </div>`;
}

/** What of an answer there is: bars, what went wrong, or what `children` makes of the data. */
export function Answer({ answer, rows = 3, label, older = false, children }) {
  if (answer.error && !answer.data) return html`<${Wrong} error=${answer.error} again=${answer.error.status === 401 ? null : answer.again} />`;
  const data = answer.data ?? (older ? answer.before : null);
  if (!data) return html`<${Bars} rows=${rows} label=${label} />`;
  return html`<div aria-busy=${answer.data ? null : "true"} class=${answer.data ? "" : "is-older"}>${children(data)}</div>`;
}

/** A panel with its heading; `level` keeps headings in order. */
export function Panel({ title, level = 2, aside = null, id = null, children, ...more }) {
  return html`<section class="panel" aria-label=${title} id=${id} ...${more}><div class="head">${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}<span class="grow"></span>${aside}</div>${children}</section>`;
}

/** A part of a page whose module is fetched when it is first shown. */
export function Later({ load, ...own }) {
  const [Part, set] = useState(null);
  useEffect(() => {
    load().then((module) => set(() => module.default));
  }, []);
  return Part && html`<${Part} ...${own} />`;
}

// ---- said aloud ------------------------------------------------------------------------------------------------------

/** Say something to who listens to the page: politely, or at once. */
export function say(text, isUrgent = false) {
  const place = document.getElementById(isUrgent ? "said-at-once" : "said");
  if (place) place.textContent = String(text);
}

export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${title} · Arena` : "Arena";
  }, [title]);
}

/** Whether a run in this state may still change. */
export const isLive = (state) => ["running", "waiting", "paused"].includes(state);

// ---- chips -----------------------------------------------------------------------------------------------------------

const TONES = { finished: "good", running: "live", waiting: "live", stopped: "warn", paused: "warn", damaged: "bad", newer: "bad", failed: "bad", playing: "live", uncounted: "warn", elsewhere: "warn" };
export function Chip({ state, title = null, text = state }) {
  return html`<span class=${`chip ${TONES[state] ?? ""}`} title=${title}>${TONES[state] === "live" && html`<span class="dot"></span>`}${text}</span>`;
}

/** A player's colour with its number, as scenes show it. */
export function Badge({ player }) {
  if (player === null || player === undefined) return html`<span></span>`;
  return html`<span class="scene" aria-hidden="true"><span class=${`badge role-player-${Number(player) % 10}`}>${Number(player) + 1}</span></span>`;
}
