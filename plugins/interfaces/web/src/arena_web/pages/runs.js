// All runs of the directories that the server was given.
import { query, useAddress, useAnswer, useLive, useThrottled } from "./api.js";
import { mayHold } from "./doing.js";
import { coded, html, number, useRef, useState } from "./html.js";
import { Cell, When, written } from "./numbers.js";
import { Answer, Chip, Empty, isLive, useTitle } from "./parts.js";
import { useHeld } from "./progress.js";
import { Pager, Table } from "./tables.js";

const COLUMNS = [
  { id: "tick", title: "", style: "text" },
  { id: "run", title: "run", style: "text" },
  { id: "state", title: "state", style: "text" },
  { id: "done", title: "matches", style: "count" },
  { id: "games", title: "games", style: "text" },
  { id: "agents", title: "agents", style: "text" },
  { id: "better", title: "who is better", style: "text" },
  { id: "cost", title: "cost", style: "money" },
  { id: "started", title: "started", style: "text" },
];
const CLOSED = ["damaged", "unknown", "elsewhere"];

/** The first names, and how many more there are. */
function Names({ names, most = 4 }) {
  const rest = names.length - most;
  return html`<span>${names.slice(0, most).join(", ")}${rest > 0 && html` <span class="soft" title=${names.slice(most).join(", ")}>and ${number(rest)} more</span>`}</span>`;
}

export default function Runs({ me }) {
  useTitle("Runs");
  const [address, change] = useAddress();
  const [q, after] = [address.get("q") ?? "", address.get("after") ?? ""];
  const [ticked, setTicked] = useState([]);
  const [told, tell] = useState({});
  const isHeard = useRef(false);
  const answer = useAnswer(`/runs${query({ q, after })}`, (data) => (isHeard.current ? 0 : !data?.runs.length || data.runs.some((run) => isLive(run.state)) ? 3000 : 15000));
  const fetchAgain = useThrottled(answer.again, 1000);
  isHeard.current = useLive("runs", (message) => {
    if (message.kind === "reset") tell({});
    if (message.runs) tell((old) => ({ ...old, ...Object.fromEntries(message.runs.map((run) => [run.run, run])) }));
    if (message.kind === "reset" || message.more || message.come?.length || message.gone?.length) fetchAgain();
  });
  const newest = (data) => (isHeard.current ? { ...data, runs: data.runs.map((run) => told[run.run] ?? run) } : data);
  const toggle = (run) => setTicked((old) => (old.includes(run) ? old.filter((own) => own !== run) : [...old, run]));
  return html`<div>
    <div class="head"><h1>Runs</h1><span class="grow"></span>
      <form role="search" class="filters" onSubmit=${(event) => event.preventDefault()}><label><span class="unseen">Search runs</span><input type="search" value=${q} placeholder="name or path" onInput=${(event) => change({ q: event.target.value, after: "" }, { isStep: false })} /></label></form>
      ${ticked.length > 1 ? html`<a class="button main" href=${`/compare${query({ run: ticked })}`}>Compare ${ticked.length} runs</a>` : html`<button type="button" disabled title="tick two runs or more">Compare</button>`}
      ${mayHold(me) && html`<a class="button main" href="/new/match">New match</a> <a class="button" href="/new/benchmark">New benchmark</a>`}
    </div>
    ${me && html`<p class="facts">in ${me.directories.map((own) => html`<code key=${own}>${own}</code> `)}</p>`}
    <${Answer} answer=${answer} rows=${6} label="loading the runs" older=${true}>${(data) => html`<${List} data=${newest(data)} q=${q} after=${after} ticked=${ticked} toggle=${toggle} change=${change} me=${me} />`}<//></div>`;
}

function List({ data, q, after, ticked, toggle, change, me }) {
  const [held, still] = useHeld(data);
  const { runs, next, total } = held === null ? data : data.runs.length && held.runs.length === data.runs.length ? held : data;
  if (!runs.length && q) return html`<${Empty} text=${`No run fits ${JSON.stringify(q)}.`}><button type="button" onClick=${() => change({ q: "", after: "" })}>Show all runs</button><//>`;
  if (!runs.length) return html`<${Empty} text=${data.empty || "No runs yet. Start one with `arena run examples/quickstart.yaml`."}>${mayHold(me) && html`, or here: <a class="button" href="/new/match">New match</a>`}<//>`;
  const rows = runs.map((run) => ({
    key: run.run,
    cells: {},
    shown: [
      html`<input type="checkbox" aria-label=${`compare ${run.name}`} checked=${ticked.includes(run.run)} disabled=${CLOSED.includes(run.state)} onChange=${() => toggle(run.run)} />`,
      html`<a href=${`/run/${run.run}`} title=${run.path}>${run.name}</a>`,
      html`<${Chip} state=${run.state} title=${run.state_words} />${CLOSED.includes(run.state) && html`<span class="small why">${coded(run.state_words)}</span>`}`,
      html`${number(run.done)}<span class="soft"> of ${number(run.planned)}</span>`,
      html`<${Names} names=${run.games} />`,
      html`<${Names} names=${run.agents} />`,
      run.better ? html`<span dir="auto">${run.better}</span>` : html`<span class="soft">–</span>`,
      html`${written(run.cost, "money")}`,
      html`<${When} time=${run.started} />`,
    ],
  }));
  return html`<section aria-label="List of runs" ...${still}><${Table} title="Runs" columns=${COLUMNS} rows=${rows} head=${1} />
    <${Pager} shown=${rows.length} total=${`${number(total)} ${total === 1 ? "run" : "runs"}`} after=${after} next=${next} address=${(own) => query({ q, ...own })} change=${change} /></section>`;
}
