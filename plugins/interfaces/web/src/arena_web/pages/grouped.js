// The ranking of what agents have in common: by game, by seat, or by a parameter in which they differ.
import { ask, query } from "./api.js";
import { coded, html, many, number, useEffect, useState } from "./html.js";
import { Panel, Wrong } from "./parts.js";
import { Progress } from "./progress.js";
import { Table } from "./tables.js";

const WORDS = { game: "game", seat: "agent and seat", use: "kind of agent" };
const wordsOf = (key) => WORDS[key] ?? key.replaceAll(".", " ").replaceAll("-", " ");

function useGrouped(run, by, done) {
  const asked = `${run} ${by} ${done}`;
  const [state, set] = useState({ of: "", found: [] });
  useEffect(() => {
    const stop = new AbortController();
    (async () => {
      let found = { is_over: false };
      while (!found.is_over) {
        found = await ask(`/run/${run}/grouped${query({ by })}`, { signal: stop.signal });
        set({ ...found, of: asked });
      }
    })().catch((error) => error.name !== "AbortError" && set({ of: asked, found: [], error, is_over: true }));
    return () => stop.abort();
  }, [asked]);
  return state.of === asked ? state : { found: [], read: 0, is_over: false };
}

export default function Grouped({ run, by, choose, done }) {
  const { found, read, is_over, problem, error } = useGrouped(run, by, done);
  const [answer] = found;
  const [keys, know] = useState(by ? [by] : []);
  useEffect(() => answer && know(answer.keys), [answer]);
  const chooser = html`<label class="small">Group by <select value=${by} onChange=${(event) => choose(event.target.value)}><option value="">agent</option>${keys.map((key) => html`<option key=${key} value=${key} selected=${key === by}>${wordsOf(key)}</option>`)}</select></label>`;
  return html`<${Panel} title=${by ? `Ranking by ${wordsOf(by)}` : "Group the ranking"} aside=${chooser}>
    ${(error || problem) && html`<${Wrong} error=${error ?? { what: problem, where: "", remedy: "" }} />`}
    ${by && !is_over && html`<${Progress} done=${read} planned=${done} label="matches read" />`}
    ${answer?.rankings.map((each) => html`<div key=${each.title}>${each.title && html`<h3>${each.title}</h3>`}${each.rows.length > 0 && html`<${Table} title=${each.title || `Ranking by ${wordsOf(by)}`} columns=${each.columns} rows=${each.rows} />`}<p class="soft small">${coded(each.sentence)}</p></div>`)}
    ${answer && !answer.rankings.length && html`<p class="empty">No match is between two of these.</p>`}
    ${answer?.left_out > 0 && html`<p class="soft small">${many(answer.left_out, "match", "matches")} between equal ones count nowhere here, of ${number(read)}.</p>`}<//>`;
}
