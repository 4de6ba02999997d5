// The table of matches, as the pages of a run and of its matches have it.
import { query } from "./api.js";
import { html, number } from "./html.js";
import { lasting, When, written } from "./numbers.js";
import { MEANINGS } from "./parts.js";
import { Table } from "./tables.js";

const COLUMNS = [
  { id: "match", title: "match", style: "text" },
  { id: "game", title: "game", style: "text" },
  { id: "agents", title: "agents by seat", style: "text" },
  { id: "result", title: "result", style: "text" },
  { id: "ending", title: "ending", style: "text" },
  { id: "turns", title: "turns", style: "count" },
  { id: "refusals", title: "invalid responses", style: "count", help: MEANINGS.refusal },
  { id: "substitutes", title: "fallback moves", style: "count", help: MEANINGS.substitute },
  { id: "tokens", title: "tokens", style: "count" },
  { id: "cost", title: "cost", style: "money" },
  { id: "seconds", title: "time", style: "seconds" },
  { id: "ended", title: "ended", style: "text" },
];
const SHORT = ["match", "game", "agents", "result", "ending", "turns", "ended"];
const FOUND = { id: "found", title: "found", style: "text" };

/** Where a text was found, each with a link to its turn. */
function Hits({ run, own }) {
  return html`<ul class="hits">${own.hits.map((hit, place) => html`<li key=${place}><a href=${`/run/${run}/match/${own.match}${hit.turn === null ? "" : query({ at: hit.turn + 1 })}`} >${hit.turn === null ? "" : html`<span class="soft">turn ${number(hit.turn + 1)}</span> `}<span dir="auto">${hit.text}</span></a></li>`)}</ul>`;
}

/** A table of matches; whoever won is bold. Where a text was sought, the second column has where it was found. */
export function MatchTable({ run, matches, sort = null, isFound = false }) {
  const columns = isFound ? COLUMNS.flatMap((column) => (column.id === "match" ? [column, FOUND] : SHORT.includes(column.id) ? [column] : [])) : COLUMNS;
  const count = (name) => (own) => html`${written(own[name], "count")}`;
  const shown = {
    match: (own) => html`<a class="mono" href=${`/run/${run}/match/${own.match}`} title=${own.id} aria-label=${`match ${own.id}`}>${String(own.id).split("/").at(-1)}</a>`,
    found: (own) => html`<${Hits} run=${run} own=${own} />`,
    game: (own) => html`${own.game}`,
    agents: (own) => html`<span class="agents">${own.agents.map((agent, player) => html`<span key=${player} title=${own.seats[player] ? `${MEANINGS.seat}: ${own.seats[player]}` : null}>${own.winner === player ? html`<b>${agent}</b>` : agent}</span>`)}</span>`,
    result: (own) => html`${own.result}`,
    ending: (own) => html`${own.ending ?? html`<span class="soft">being played</span>`}`,
    turns: count("turns"), refusals: count("refusals"), substitutes: count("substitutes"), tokens: count("tokens"),
    cost: (own) => html`${written(own.cost, "money")}`,
    seconds: (own) => html`${lasting(own.seconds)}`,
    ended: (own) => html`<${When} time=${own.ended} />`,
  };
  const rows = matches.map((own) => ({ key: own.match, cells: own, shown: columns.map((column) => shown[column.id](own)) }));
  return html`<${Table} title="Matches" columns=${columns} rows=${rows} sort=${sort} />`;
}
