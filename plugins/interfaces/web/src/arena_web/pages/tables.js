// Tables that scroll in themselves, and the ways through their pages.
import { html, number } from "./html.js";
import { Cell, isEstimate } from "./numbers.js";

/** A table that scrolls in itself; `rows` are lists in the order of the columns, or name their cells by column. */
export function Table({ title, caption = "", columns, rows, sort = null, head = 0 }) {
  const cellOf = (row, place) => (Array.isArray(row) ? row[place] : row.cells[columns[place].id ?? columns[place].name]);
  const isNumeric = (place) => (columns[place].style ? columns[place].style !== "text" : rows.some((row) => typeof cellOf(row, place) === "number" || isEstimate(cellOf(row, place))));
  const numeric = columns.map((_, place) => isNumeric(place));
  const numbers = columns.flatMap((_, place) => (numeric[place] && place !== head ? [place] : []));
  const lead = numbers.find((place) => rows.some((row) => isEstimate(cellOf(row, place)))) ?? numbers[0]; // what a card on a phone begins with
  const name = numeric[head] ? columns.findIndex((own) => own.id === "agent") : -1; // whom its numbers are of
  return html`<div class="scroll" role="group" aria-label=${title} tabindex="0">
    <table class=${sort ? "is-sorted" : ""}>
      <caption>${caption || html`<span class="unseen">${title}</span>`}</caption>
      <thead><tr>${columns.map((column, place) => html`<th key=${place} scope="col" class=${numeric[place] ? "number" : ""} title=${column.help || null} aria-sort=${sort?.order(column)}>
        ${sort?.can(column) ? html`<button type="button" onClick=${() => sort.by(column)}>${column.title}<span aria-hidden="true">${{ ascending: " ▲", descending: " ▼" }[sort.order(column)] ?? ""}</span></button>` : String(column.title).trim() || html`<span class="unseen">${column.id}</span>`}
        ${column.unit && html`<span class="unit">${column.unit}</span>`}</th>`)}</tr></thead>
      <tbody>${rows.map((row, index) => html`<tr key=${row.key ?? index} class=${row.is_reference ? "reference" : row.is_faint ? "faint" : ""}>${columns.map((column, place) => {
        const content = row.shown?.[place] ?? html`<${Cell} cell=${cellOf(row, place)} style=${column.style} />`;
        return place === head ? html`<th key=${place} scope="row" class=${numeric[place] ? "number" : ""} data-title=${columns[place].title}>${content}</th>` : html`<td key=${place} class=${`${numeric[place] ? "number" : ""} ${place === lead ? "lead" : place === name ? "name" : ""}`} data-title=${columns[place].title}>${content}</td>`;
      })}</tr>`)}</tbody>
    </table>
  </div>`;
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
