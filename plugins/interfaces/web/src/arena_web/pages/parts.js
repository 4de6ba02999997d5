// What pages of runs are made of: tables, chips, and what every page has.
import { coded, html, number, useRef, useState } from "./html.js";
import { Cell, isEstimate } from "./numbers.js";
import { Bars, Wrong } from "./states.js";

export { Badge, Bars, Panel, Wrong, say, useTitle } from "./states.js";

/** What the project's words mean, as titles. */
export const MEANINGS = {
  refusal: "an answer that the rules or the reader did not accept; the player was told why and asked again",
  substitute: "an action that the policy for illegal actions put in for a player; nobody meant it",
  forfeit: "a match given up: its player is counted as having lost",
  withheld: "an action that was accepted and not played, since another player of the same step forfeited",
  seat: "the place at the table, with its name in the game",
  block: "matches that share their deals; they count as one",
};

/** Where there is nothing: what would be here, and what makes it so. */
export const Empty = ({ text, children }) => html`<p class="empty">${coded(text)}${children && html` ${children}`}</p>`;

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

/** What is shown while the pointer is over it stays: a change never moves what is under the pointer. */
export function useHeld(data) {
  const [isHeld, hold] = useState(false);
  const kept = useRef(data);
  if (!isHeld || !kept.current) kept.current = data;
  return [kept.current, { onPointerEnter: () => hold(true), onPointerLeave: () => hold(false) }];
}

/** Whether a run in this state may still change. */
export const isLive = (state) => ["running", "waiting", "paused"].includes(state);

// ---- chips -----------------------------------------------------------------------------------------------------------

const TONES = { finished: "good", running: "live", waiting: "live", stopped: "warn", paused: "warn", damaged: "bad", newer: "bad", failed: "bad", playing: "live", uncounted: "warn", elsewhere: "warn" };
export function Chip({ state, title = null, text = state }) {
  return html`<span class=${`chip ${TONES[state] ?? ""}`} title=${title}>${TONES[state] === "live" && html`<span class="dot"></span>`}${text}</span>`;
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
