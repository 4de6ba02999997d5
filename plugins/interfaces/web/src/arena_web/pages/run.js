// One run: the verdict first, then the table and the chart, then the evidence.
import { query, useAddress, useAnswer, useLive, useThrottled } from "./api.js";
import { mayHold } from "./doing.js";
import { coded, html, many, number, useRef, useState } from "./html.js";
import { When, written } from "./numbers.js";
import { Answer, Chip, Empty, Later, MEANINGS, Panel, isLive, useTitle } from "./parts.js";
import { Computing, Progress, useFresh, useHeld } from "./progress.js";
import { Table } from "./tables.js";
import { Chart, chartsOf } from "./charts.js";
import { Holding } from "./holding.js";
import { MatchTable } from "./match_table.js";
import { Mini } from "./mini.js";

export default function Run({ names: [run], me }) {
  const isHeard = useRef(false);
  const answer = useAnswer(`/run/${run}`, (data) => (isLive(data?.state) && !isHeard.current ? 2000 : data?.computing ? 4000 : 0));
  const fetchAgain = useThrottled(answer.again, 1000);
  isHeard.current = useLive(`run:${run}`, (message) => {
    const known = answer.data;
    if (message.kind !== "reset" || !known || message.progress.state !== known.state || message.progress.done !== known.done) fetchAgain();
  });
  useTitle(answer.data?.name ?? run);
  return html`<div>
    <p class="crumbs"><a href="/">Runs</a> / ${answer.data?.name ?? run}</p>
    ${!answer.data && html`<div class="head"><h1>${run}</h1></div>`}
    <${Answer} answer=${answer} rows=${4} label="loading the run">${(data) => html`<${Overview} run=${run} data=${data} me=${me} again=${answer.again} />`}<//></div>`;
}

function Overview({ run, data, me, again }) {
  const isPlayed = data.done > 0;
  const leaders = useAnswer(isPlayed ? `/run/${run}/leaderboard` : null, (found) => (found?.computing ? 4000 : 0));
  useFresh(leaders.again, 6000, data);
  const [isLending, lend] = useState(false);
  const [address, change] = useAddress();
  return html`<div>
    <div class="head"><h1>${data.name}</h1><${Chip} state=${data.state} title=${data.state_words} /><span class="grow"></span>
      <a class="button" href=${`/run/${run}/matches`}>Matches</a><a class="button" href=${`/run/${run}/report`}>Report</a>${mayHold(me) && html`<a class="button" href=${`/annotate/${run}`}>Score</a>`}${mayHold(me) && html`<button type="button" onClick=${() => lend(true)}>Links</button>`}</div>
    ${isLending && html`<${Later} load=${() => import("./links.js")} run=${run} close=${() => lend(false)} />`}
    <${Facts} data=${data} />
    <${Holding} run=${run} data=${data} me=${me} again=${again} />
    ${data.problems.map((text) => html`<p class="note" key=${text}>${text}</p>`)}
    ${data.seats?.length > 0 && html`<${Later} load=${() => import("./seats.js")} run=${run} seats=${data.seats} me=${me} />`}
    ${isPlayed ? html`<${Verdict} verdict=${data.verdict} computing=${data.computing} isSoFar=${isLive(data.state)} />` : html`<${Planned} data=${data} />`}
    ${isLive(data.state) && html`<${Going} data=${data} />`}
    ${isPlayed && html`<${Answer} answer=${leaders} rows=${6} label="loading the leaderboard" older=${true}>${(found) => html`<${Leaders} data=${found} />`}<//>`}
    ${isLive(data.state) && html`<${Boards} data=${data} run=${run} />`}
    ${isPlayed && html`<${Later} load=${() => import("./grouped.js")} run=${run} by=${address.get("by") ?? ""} choose=${(by) => change({ by })} done=${data.done} />`}
    ${isPlayed && html`<div class="two">${Counts({ title: "How matches ended", rows: data.endings, name: "ending", of: data.done, run, filter: "ending" })}${Counts({ title: "Invalid responses", rows: data.refusals, name: "kind", about: MEANINGS.refusal, none: data.verdict.sentences.length ? "All responses were valid." : "Not counted yet.", run, filter: null })}</div>
      <${Later} load=${() => import("./results.js")} run=${run} data=${data} />
      <${Newest} run=${run} data=${data} />`}</div>`;
}

function Facts({ data }) {
  const facts = [
    [`${number(data.done)} of ${number(data.planned)}`, "matches"],
    [number(data.games.length), data.games.length === 1 ? "game" : "games"],
    [number(data.agents.length), data.agents.length === 1 ? "agent" : "agents"],
    data.tokens ? [number(data.tokens), "tokens"] : null,
    data.cost !== null && data.cost !== undefined ? [written(data.cost, "money"), "spent"] : null,
  ].filter(Boolean);
  return html`<div><p class="facts">${facts.map(([value, what]) => html`<span key=${what}><b>${value}</b> ${what}</span>`)}<span>seed <b>${data.seed}</b></span>${data.started && html`<span>begun <${When} time=${data.started} /></span>`}${data.ended && !isLive(data.state) && html`<span>ended <${When} time=${data.ended} /></span>`}</p>
    ${data.state_words && data.state !== "finished" && html`<p class="small soft state-words">${coded(data.state_words)}</p>`}</div>`;
}

export function Verdict({ verdict, computing, isSoFar }) {
  const [first, ...more] = verdict.sentences;
  return html`<section class="verdict" aria-label="Verdict"><h2 class="unseen">Verdict</h2>
    ${first || !computing ? html`<p class="sentence">${isSoFar && "So far: "}${first ?? "Nothing can be said yet."}</p>` : html`<p class="sentence">The verdict is being computed.</p>`}
    ${computing && html`<${Computing} text=${computing} />`}
    ${more.map((text) => html`<p key=${text}>${text}</p>`)}
    ${verdict.doubts.length > 0 && html`<details open=${innerWidth > 600}><summary>${many(verdict.doubts.length, "doubt")}</summary><ul>${verdict.doubts.map((text) => html`<li key=${text}>${coded(text)}</li>`)}</ul></details>`}
  </section>`;
}

function Planned({ data }) {
  return html`<${Panel} title="Nothing is played yet"><p>${many(data.planned, "match", "matches")} are planned: ${data.games.map((game) => game.title || game.name).join(", ")} between ${data.agents.map((agent) => agent.title || agent.name).join(", ")}.</p><//>`;
}

function Going({ data }) {
  const { done, planned } = data.progress;
  const refused = data.refusals.reduce((sum, own) => sum + own.count, 0);
  return html`<${Panel} title="Being played" aside=${html`<span class="soft small">${[many(refused, "invalid response"), data.cost ? `${written(data.cost, "money")} spent` : ""].filter(Boolean).join(" · ")}</span>`}>
    <p><b>${number(done)}</b> of ${many(planned, "match", "matches")}</p>
    <${Progress} done=${done} planned=${planned} label="matches played" /><//>`;
}

/** Boards of the matches that are being played. */
function Boards({ data, run }) {
  return html`<${Panel} title="Matches in play">${data.playing.length ? html`<${Later} load=${() => import("./in_play.js")} run=${run} playing=${data.playing} started=${data.started} />` : html`<${Empty} text="No match is in play at this moment." />`}
    ${data.playing.length > 12 && html`<p class="soft small">12 of ${number(data.playing.length)} matches in play</p>`}<//>`;
}

const MOST = 50;
export function Leaders({ data }) {
  const [sought, seek] = useState("");
  const [isWhole, show] = useState(false);
  const [held, still] = useHeld(data);
  const fits = (row) => String(row.agent).toLowerCase().includes(sought.toLowerCase());
  const found = held.rows.filter(fits);
  const rows = isWhole || found.length <= MOST ? found : found.slice(0, MOST);
  return html`<div><${Panel} title=${held.title || "Leaderboard"} aside=${held.rows.length > MOST && html`<label><span class="unseen">Search agents</span><input type="search" placeholder="agent" value=${sought} onInput=${(event) => seek(event.target.value)} /></label>`} ...${still}>
    <${Computing} text=${data.computing} isAll=${!data.rows.length} />
    ${rows.length > 0 && html`<${Table} title=${held.title || "Leaderboard"} columns=${held.columns} rows=${rows} />`}
    ${rows.length < found.length && html`<p class="soft small">${rows.length} of ${number(found.length)} agents <button type="button" onClick=${() => show(true)}>Show all</button></p>`}
    ${held.notes.map((text) => html`<p class="soft small" key=${text}>${text}</p>`)}
  <//>
  ${chartsOf(held).length > 0 && html`<${Panel} title="Scores with their intervals"><div class="charts">${chartsOf(held).map((chart) => html`<${Chart} key=${chart.title} chart=${chart} />`)}</div>${held.scores?.caption && html`<p class="soft small">${held.scores.caption}</p>`}<//>`}
  ${held.head_to_head && html`<${Panel} title=${held.head_to_head.title || "Who beats whom"}><${Table} ...${held.head_to_head} title="Who beats whom" />${held.head_to_head.note && html`<p class="soft small">${held.head_to_head.note}</p>`}<//>`}</div>`;
}

function Counts({ title, rows, name, about = null, of = null, none = "", run, filter }) {
  const columns = [{ id: "name", title: name, style: "text" }, { id: "count", title: "count", style: "count" }, ...(of ? [{ id: "share", title: "of all", style: "share" }] : [])];
  const listed = rows.map((row) => ({
    key: row[name],
    cells: { name: row[name], count: row.count, share: of ? row.count / of : null },
    shown: filter ? [html`<a href=${`/run/${run}/matches${query({ [filter]: row[name] })}`}>${row[name]}</a>`] : [],
  }));
  return html`<${Panel} title=${title}>${about && html`<p class="soft small">${about}</p>`}${rows.length ? html`<${Table} title=${title} columns=${columns} rows=${listed} />` : html`<${Empty} text=${none || "None yet."} />`}<//>`;
}

function Newest({ run, data: { done } }) {
  const answer = useAnswer(`/run/${run}/matches?sort=ended&descending=1&limit=6`);
  useFresh(answer.again, 5000, { done });
  const [held, still] = useHeld(answer.data ?? answer.before);
  return html`<${Panel} title="Newest matches" aside=${html`<a href=${`/run/${run}/matches`}>all matches</a>`} ...${still}>
    <${Answer} answer=${{ ...answer, data: held }} rows=${6} label="loading the newest matches">${(data) => (data.matches.length ? html`<div class="minis">${data.matches.map((own) => html`<${Mini} key=${own.match} run=${run} match=${own.match} label=${own.agents.join(" – ")} note=${own.result} />`)}</div><${MatchTable} run=${run} matches=${data.matches} />` : html`<${Empty} text="No match has ended yet." />`)}<//><//>`;
}
