// The matches of a run, filtered and sorted; what is chosen stands in the address.
import { query, useAddress, useAnswer } from "./api.js";
import { html, many, number } from "./html.js";
import { lasting, When, written } from "./numbers.js";
import { Answer, Empty, MEANINGS, Pager, Table, useTitle } from "./parts.js";

const COLUMNS = [
  { id: "match", title: "match", style: "text" },
  { id: "game", title: "game", style: "text" },
  { id: "agents", title: "agents by seat", style: "text" },
  { id: "result", title: "result", style: "text" },
  { id: "ending", title: "ending", style: "text" },
  { id: "turns", title: "turns", style: "count" },
  { id: "refusals", title: "refusals", style: "count", help: MEANINGS.refusal },
  { id: "substitutes", title: "substitutes", style: "count", help: MEANINGS.substitute },
  { id: "tokens", title: "tokens", style: "count" },
  { id: "cost", title: "cost", style: "money" },
  { id: "seconds", title: "time", style: "seconds" },
  { id: "ended", title: "ended", style: "text" },
];
const HAS = { refusal: "a refusal", substitute: "a substitute", forfeit: "a forfeit" };
const FILTERS = ["game", "agent", "ending", "has"];

/** A table of matches; whoever won is bold. */
export function MatchTable({ run, matches, sort = null }) {
  const rows = matches.map((own) => ({
    key: own.match,
    cells: own,
    shown: [
      html`<a class="mono" href=${`/run/${run}/match/${own.match}`} title=${own.id} aria-label=${`match ${own.id}`}>${String(own.id).split("/").at(-1)}</a>`,
      html`${own.game}`,
      html`<span class="agents">${own.agents.map((agent, player) => html`<span key=${player} title=${own.seats[player] ? `${MEANINGS.seat}: ${own.seats[player]}` : null}>${own.winner === player ? html`<b>${agent}</b>` : agent}</span>`)}</span>`,
      html`${own.result}`,
      html`${own.ending ?? html`<span class="soft">being played</span>`}`,
      ...["turns", "refusals", "substitutes", "tokens"].map((name) => html`${written(own[name], "count")}`),
      html`${written(own.cost, "money")}`,
      html`${lasting(own.seconds)}`,
      html`<${When} time=${own.ended} />`,
    ],
  }));
  return html`<${Table} title="Matches" columns=${COLUMNS} rows=${rows} sort=${sort} />`;
}

function Choice({ label, value, options, any, choose }) {
  return html`<label><span class="unseen">${label}</span><select value=${value} onChange=${(event) => choose(event.target.value)}><option value="">${any}</option>${options.map(([name, words]) => html`<option key=${name} value=${name} selected=${name === value}>${words}</option>`)}</select></label>`;
}

export default function Matches({ names: [run] }) {
  const [address, change] = useAddress();
  const chosen = Object.fromEntries([...FILTERS, "sort", "descending", "after"].map((name) => [name, address.get(name) ?? ""]));
  const header = useAnswer(`/run/${run}`);
  const answer = useAnswer(`/run/${run}/matches${query({ ...chosen, limit: 50 })}`);
  useTitle(`Matches of ${header.data?.name ?? run}`);
  const filter = (name) => (value) => change({ [name]: value, after: "" });
  const clear = () => change({ game: "", agent: "", ending: "", has: "", after: "" });
  const isFiltered = FILTERS.some((name) => chosen[name]);
  const data = answer.data ?? answer.before;
  const sortable = new Set(data?.columns ?? []);
  const sort = {
    can: (column) => sortable.has(column.id),
    order: (column) => (!sortable.has(column.id) ? null : chosen.sort === column.id ? (chosen.descending === "1" ? "descending" : "ascending") : "none"),
    by: (column) => change({ sort: column.id, descending: chosen.sort === column.id && chosen.descending === "1" ? "" : "1", after: "" }),
  };
  const known = header.data ?? { games: [], agents: [], endings: [] };
  return html`<div>
    <p class="crumbs"><a href="/">Runs</a> / <a href=${`/run/${run}`}>${header.data?.name ?? run}</a> / matches</p>
    <h1>Matches</h1>
    <div class="filters" role="group" aria-label="Filters">
      <${Choice} label="Game" any="any game" value=${chosen.game} options=${known.games.map((game) => [game.name, game.title || game.name])} choose=${filter("game")} />
      <${Choice} label="Agent" any="any agent" value=${chosen.agent} options=${known.agents.map((agent) => [agent.name, agent.title || agent.name])} choose=${filter("agent")} />
      <${Choice} label="Ending" any="any ending" value=${chosen.ending} options=${known.endings.map((own) => [own.ending, `${own.ending} (${number(own.count)})`])} choose=${filter("ending")} />
      <${Choice} label="Marks" any="with or without marks" value=${chosen.has} options=${Object.entries(HAS).map(([name, words]) => [name, `with ${words}`])} choose=${filter("has")} />
      ${isFiltered && html`<button type="button" onClick=${clear}>Clear filters</button>`}
      <span class="grow"></span><span class="soft small" role="status">${data && (data.total === 1 ? "1 match" : `${data.total === null || data.total === undefined ? data.total_words : number(data.total)} matches`)}</span>
    </div>
    <${Answer} answer=${answer} rows=${8} label="loading matches" older=${true}>${(found) => {
      if (!found.matches.length && isFiltered) return html`<${Empty} text="No match fits these filters."><button type="button" onClick=${clear}>Clear filters</button><//>`;
      if (!found.matches.length) return html`<${Empty} text="No match has been played yet." />`;
      return html`<${MatchTable} run=${run} matches=${found.matches} sort=${sort} />
        <${Pager} shown=${found.matches.length} total=${found.total === null || found.total === undefined ? `${found.total_words} matches` : many(found.total, "match", "matches")} after=${chosen.after} next=${found.next} address=${(own) => query({ ...chosen, ...own })} change=${change} />`;
    }}<//></div>`;
}
