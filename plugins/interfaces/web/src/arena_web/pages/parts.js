// What all pages are made of: what is said while something loads, is empty or went wrong; tables, charts, chips.
import { coded, html, number, useEffect, useRef, useState } from "./html.js";
import { Cell, isEstimate } from "./numbers.js";

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

/** How far something is that is computed in the background. */
export function Computing({ text, isAll = false }) {
  if (!text) return null;
  return html`<div data-computing="yes"><p class="soft small" role="status">being computed: ${text}</p>${isAll && html`<div class="bars" aria-hidden="true"><i class="bar-0"></i><i class="bar-1"></i><i class="bar-2"></i></div>`}</div>`;
}

/** A panel with its heading; `level` keeps headings in order. */
export function Panel({ title, level = 2, aside = null, id = null, children, ...more }) {
  return html`<section class="panel" aria-label=${title} id=${id} ...${more}><div class="head">${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}<span class="grow"></span>${aside}</div>${children}</section>`;
}

/** What is shown while the pointer is over it stays: a change never moves what is under the pointer. */
export function useHeld(data) {
  const [isHeld, hold] = useState(false);
  const kept = useRef(data);
  if (!isHeld || !kept.current) kept.current = data;
  return [kept.current, { onPointerEnter: () => hold(true), onPointerLeave: () => hold(false) }];
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

export function Progress({ done, planned, label }) {
  const share = planned ? Math.min(100, (100 * done) / planned) : 0;
  return html`<div class="progress" role="progressbar" aria-label=${label} aria-valuemin="0" aria-valuemax=${planned} aria-valuenow=${done} aria-valuetext=${`${number(done)} of ${number(planned)}`}><i style=${{ width: `${share}%` }}></i></div>`;
}

/** The ways through pages of rows: the first, and the next. */
export function Pager({ shown, total, after, next, address, change }) {
  return html`<nav class="pager" aria-label="Pages of rows">
    <span class="soft grow">${number(shown)} of ${total}</span>
    ${after && html`<a class="button" href=${address({ after: "" })} onClick=${followed(() => change({ after: "" }))}>First page</a>`}
    ${next && html`<a class="button" href=${address({ after: next })} onClick=${followed(() => change({ after: next }))}>Next page</a>`}
  </nav>`;
}

/** A click on a link that is followed in place; with Ctrl or another button it opens as any link does. */
export const followed = (go) => (event) => {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go();
};

// ---- tables ----------------------------------------------------------------------------------------------------------

/** A table that scrolls in itself; `rows` are lists in the order of the columns, or name their cells by column. */
export function Table({ title, caption = "", columns, rows, sort = null, head = 0 }) {
  const cellOf = (row, place) => (Array.isArray(row) ? row[place] : row.cells[columns[place].id ?? columns[place].name]);
  const isNumeric = (place) => (columns[place].style ? columns[place].style !== "text" : rows.some((row) => typeof cellOf(row, place) === "number" || isEstimate(cellOf(row, place))));
  const numeric = columns.map((_, place) => isNumeric(place));
  return html`<div class="scroll" role="group" aria-label=${title} tabindex="0">
    <table>
      <caption>${caption || html`<span class="unseen">${title}</span>`}</caption>
      <thead><tr>${columns.map((column, place) => html`<th key=${place} scope="col" class=${numeric[place] ? "number" : ""} title=${column.help || null} aria-sort=${sort?.order(column)}>
        ${sort?.can(column) ? html`<button type="button" onClick=${() => sort.by(column)}>${column.title}<span aria-hidden="true">${{ ascending: " ▲", descending: " ▼" }[sort.order(column)] ?? ""}</span></button>` : String(column.title).trim() || html`<span class="unseen">${column.id}</span>`}
        ${column.unit && html`<span class="unit">${column.unit}</span>`}</th>`)}</tr></thead>
      <tbody>${rows.map((row, index) => html`<tr key=${row.key ?? index} class=${row.is_reference ? "reference" : row.is_faint ? "faint" : ""}>${columns.map((column, place) => {
        const content = row.shown?.[place] ?? html`<${Cell} cell=${cellOf(row, place)} style=${column.style} />`;
        return place === head ? html`<th key=${place} scope="row" class=${numeric[place] ? "number" : ""}>${content}</th>` : html`<td key=${place} class=${numeric[place] ? "number" : ""}>${content}</td>`;
      })}</tr>`)}</tbody>
    </table>
  </div>`;
}
