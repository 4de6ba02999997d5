// What each action of a turn was worth, as a solver or a metric measured it.
import { html, many, words } from "./html.js";
import { Cell } from "./numbers.js";
import { Table } from "./tables.js";
import { Fold } from "./turn.js";

export default function Worths({ worths }) {
  const all = worths.map((own) => own.worth).filter(Number.isFinite);
  const [least, greatest] = [Math.min(...all), Math.max(...all)];
  const columns = [{ id: "action", title: "action", style: "text" }, { id: "worth", title: "worth", style: "number" }, { id: "bar", title: "", style: "text" }];
  const rows = worths.map((own, key) => ({ key, cells: own, shown: [words(own.action), html`<${Cell} cell=${own.worth} />`, html`<span class="worth" aria-hidden="true"><i style=${{ width: `${greatest > least ? (100 * (own.worth - least)) / (greatest - least) : 100}%` }}></i></span>`] }));
  return html`<${Fold} title="What each action was worth" aside=${many(worths.length, "action")} isOpen=${true}><${Table} title="What each action was worth" columns=${columns} rows=${rows} /><//>`;
}
