// Results by seat, and what there is to take home of a run.
import { download, useAnswer } from "./api.js";
import { html, many, useState } from "./html.js";
import { Panel, Wrong, isLive } from "./parts.js";
import { useFresh } from "./progress.js";
import { Table } from "./tables.js";

export default function Results({ run, data }) {
  const answer = useAnswer(`/run/${run}/results`);
  useFresh(answer.again, 3000, data);
  const found = answer.data ?? answer.before;
  return html`${found?.rows.length > 0 && html`<${Panel} title="Results by seat"><${BySeat} ...${found} /><//>`}
    ${!isLive(data.state) && data.downloads?.length > 0 && html`<${Downloads} run=${run} downloads=${data.downloads} />`}`;
}

const LONG = 12; // a longer table is folded, with what is more important below it

function BySeat({ columns, rows }) {
  const table = html`<${Table} title="Results by seat" columns=${columns} rows=${rows} />`;
  return rows.length > LONG ? html`<details class="fold"><summary>${many(rows.length, "row")}</summary><div class="folded">${table}</div></details>` : table;
}

function Downloads({ run, downloads }) {
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState("");
  const take = (form) => {
    setBusy(form);
    download({ run, form }).then(() => setError(null), setError).finally(() => setBusy(""));
  };
  return html`<${Panel} title="Downloads"><div class="controls">${downloads.map((own) => html`<button type="button" key=${own.form} disabled=${Boolean(busy) || null} onClick=${() => take(own.form)}>${own.title}</button>`)}${busy && html`<span class="soft small" role="status">being made …</span>`}</div>
    ${error && html`<${Wrong} error=${error} />`}<//>`;
}
