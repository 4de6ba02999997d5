// Several runs together: their agents in one table, by game, and the differences of those that met.
import { query, useAddress, useAnswer } from "./api.js";
import { html, many } from "./html.js";
import { Chart, chartsOf } from "./charts.js";
import { Answer, Empty, Panel, useTitle } from "./parts.js";
import { Computing } from "./progress.js";
import { Table } from "./tables.js";

const TABLES = [["by_game", "Agents by game"], ["differences", "Paired differences"]];

/** Rows of differences; one that cannot be told from nothing is faint. */
const settled = ({ columns, rows }) => rows.map((row) => ({ cells: Object.fromEntries(columns.map((column, place) => [column.id, row[place]])), is_faint: row[columns.findIndex((column) => column.id === "settled")] !== "yes" }));

export default function Compare() {
  useTitle("Compare");
  const [address, change] = useAddress();
  const chosen = address.getAll("run");
  return html`<div><h1>Compare runs</h1>
    <${Choice} chosen=${chosen} change=${(run) => change({ run })} />
    ${chosen.length < 2 ? html`<${Empty} text="Tick two runs or more: their agents are then ranked together, and the differences of those that met stand beside." />` : html`<${Together} chosen=${chosen} />`}</div>`;
}

function Choice({ chosen, change }) {
  const answer = useAnswer("/runs?limit=50");
  const toggle = (run) => change(chosen.includes(run) ? chosen.filter((own) => own !== run) : [...chosen, run]);
  return html`<${Panel} title="Runs" aside=${html`<span class="soft small">${many(chosen.length, "run")} chosen</span>`}><${Answer} answer=${answer} rows=${3} label="loading the runs">${(data) => (data.runs.length ? html`<ul class="choices">${data.runs.map((run) => html`<li key=${run.run}><label class="check"><input type="checkbox" checked=${chosen.includes(run.run)} onChange=${() => toggle(run.run)} /> ${run.name}</label> <span class="soft small">${run.games.slice(0, 3).join(", ")} · ${many(run.done, "match", "matches")}</span></li>`)}</ul>` : html`<${Empty} text=${data.empty || "No runs yet."} />`)}<//><//>`;
}

/** The agents of all chosen runs in one table; which runs cannot be put together is said. */
function Together({ chosen }) {
  const answer = useAnswer(`/compare${query({ run: chosen })}`, (data) => (data?.computing ? 4000 : 0));
  return html`<${Answer} answer=${answer} rows=${6} label="comparing the runs" older=${true}>${(data) => html`
    ${(data.problems ?? []).map((text) => html`<p class="note" key=${text}>${text}</p>`)}
    <${Computing} text=${data.computing} isAll=${!data.rows.length} />
    ${data.rows.length > 0 && html`<${Panel} title=${data.title || "Agents over these runs"}><${Table} title=${data.title || "Agents over these runs"} columns=${data.columns} rows=${data.rows} />${data.notes.map((text) => html`<p class="soft small" key=${text}>${text}</p>`)}<//>`}
    ${chartsOf(data).length > 0 && html`<${Panel} title="Scores with their intervals"><div class="charts">${chartsOf(data).map((chart) => html`<${Chart} key=${chart.title} chart=${chart} />`)}</div><//>`}
    ${TABLES.map(([name, title]) => data[name] && html`<${Panel} key=${name} title=${title}><${Table} ...${data[name]} title=${title} rows=${name === "differences" ? settled(data[name]) : data[name].rows} />${name === "differences" && html`<p class="soft small">Grey: cannot be told from no difference.</p>`}<//>`)}`}<//>`;
}
