// The matches of a run, filtered and sorted; what is chosen stands in the address.
import { ask, download, query, useAddress, useAnswer } from "./api.js";
import { html, many, number, useEffect, useState } from "./html.js";
import { MatchTable } from "./match_table.js";
import { Answer, Bars, Empty, Wrong, say, useTitle } from "./parts.js";
import { Pager } from "./tables.js";

const HAS = { refusal: "an invalid response", "refused-winner": "an invalid response of the winner", substitute: "a fallback move", forfeit: "a forfeit" };
const LONGEST = { sort: "turns", descending: "1", after: "" };
const FILTERS = ["game", "agent", "result", "ending", "has", "text"];
const FORMS = { csv: "a row for each match, as CSV", jsonl: "an object for each match, as JSON lines" };

function Choice({ label, value, options, any, choose }) {
  return html`<label><span class="unseen">${label}</span><select value=${value} onChange=${(event) => choose(event.target.value)}><option value="">${any}</option>${options.map(([name, words]) => html`<option key=${name} value=${name} selected=${name === value}>${words}</option>`)}</select></label>`;
}

/** What a search has found so far, asked for again and again until it is over. */
function useSearch(run, chosen) {
  const asked = chosen.text ? query({ text: chosen.text, game: chosen.game, agent: chosen.agent, result: chosen.result, ending: chosen.ending, has: chosen.has }) : "";
  const [state, set] = useState({ of: "", matches: [] });
  useEffect(() => {
    if (!asked) return undefined;
    const stop = new AbortController();
    (async () => {
      let [matches, found] = [[], { is_over: false }];
      while (!found.is_over) {
        found = await ask(`/run/${run}/search${asked}&after=${matches.length}`, { signal: stop.signal });
        matches = [...matches, ...found.matches];
        set({ ...found, of: asked, matches });
      }
      say(`${many(matches.length, "match", "matches")} found.`);
    })().catch((error) => error.name !== "AbortError" && set({ of: asked, matches: [], error, is_over: true }));
    return () => stop.abort();
  }, [run, asked]);
  return state.of === asked ? state : { matches: [], read: 0, total: null };
}

function Found({ run, search, clear }) {
  const { matches, read, total, is_over, is_cut, problem, error } = search;
  const how = is_cut ? `the newest ${number(matches.length)}; there may be more` : is_over ? `all ${many(total ?? 0, "match", "matches")} searched` : `${number(read)} of ${total === null ? "…" : many(total, "match", "matches")} searched, the newest first`;
  return html`<div>
    ${error ? html`<${Wrong} error=${error} />` : html`<p class="soft small" role="status">${many(matches.length, "match", "matches")} found; ${how}</p>`}
    ${problem && html`<${Wrong} error=${{ what: problem, where: "", remedy: "" }} />`}
    ${matches.length > 0 && html`<${MatchTable} run=${run} matches=${matches} isFound=${true} />`}
    ${!matches.length && !is_over && html`<${Bars} rows=${6} label="searching" />`}
    ${!matches.length && is_over && !error && html`<${Empty} text="No match contains this text."><button type="button" onClick=${clear}>Clear filters</button><//>`}</div>`;
}

function Downloads({ run, chosen }) {
  const [error, setError] = useState(null);
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, chosen[name]]));
  const fetchIt = (form) => () => download({ run, form, ...wanted }).then(() => setError(null), setError);
  return html`<details class="menu"><summary class="button">Download</summary><div class="menu-items">${Object.entries(FORMS).map(([form, words]) => html`<button type="button" key=${form} onClick=${fetchIt(form)}>${words}</button>`)}</div></details>${error && html`<${Wrong} error=${error} />`}`;
}

export default function Matches({ names: [run] }) {
  const [address, change] = useAddress();
  const chosen = Object.fromEntries([...FILTERS, "sort", "descending", "after"].map((name) => [name, address.get(name) ?? ""]));
  const header = useAnswer(`/run/${run}`);
  const { text, ...listed } = chosen;
  const answer = useAnswer(text ? null : `/run/${run}/matches${query({ ...listed, limit: 50 })}`);
  const search = useSearch(run, chosen);
  useTitle(`Matches of ${header.data?.name ?? run}`);
  const filter = (name) => (value) => change({ [name]: value, after: "" });
  const chooseAgent = (agent) => change({ agent, after: "", ...(agent || chosen.result === "drawn" ? {} : { result: "" }) });
  const clear = () => change({ game: "", agent: "", result: "", ending: "", has: "", text: "", after: "" });
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
      <${Choice} label="Agent" any="any agent" value=${chosen.agent} options=${known.agents.map((agent) => [agent.name, agent.title || agent.name])} choose=${chooseAgent} />
      <${Choice} label="Result" any="any result" value=${chosen.result} options=${chosen.agent ? [["won", "won"], ["lost", "lost"], ["drawn", "drawn"]] : [["drawn", "drawn"]]} choose=${filter("result")} />
      <${Choice} label="Ending" any="any ending" value=${chosen.ending} options=${known.endings.map((own) => [own.ending, `${own.ending} (${number(own.count)})`])} choose=${filter("ending")} />
      <${Choice} label="Marks" any="with or without marks" value=${chosen.has} options=${Object.entries(HAS).map(([name, words]) => [name, `with ${words}`])} choose=${filter("has")} />
      <label><span class="unseen">Text in labels and reasons</span><input type="search" placeholder="text in labels and reasons" maxlength="200" value=${text} onChange=${(event) => filter("text")(event.target.value.trim())} /></label>
      ${chosen.sort !== "turns" && !text && html`<button type="button" onClick=${() => change(LONGEST)}>Longest first</button>`}
      ${isFiltered && html`<button type="button" onClick=${clear}>Clear filters</button>`}
      <${Downloads} run=${run} chosen=${chosen} />
      <span class="grow"></span><span class="soft small" role="status">${!text && data && (data.total === 1 ? "1 match" : `${data.total === null || data.total === undefined ? data.total_words : number(data.total)} matches`)}</span>
    </div>
    ${text ? html`<${Found} run=${run} search=${search} clear=${clear} />` : html`<${Answer} answer=${answer} rows=${8} label="loading matches" older=${true}>${(found) => {
      if (!found.matches.length && isFiltered) return html`<${Empty} text="No match fits these filters."><button type="button" onClick=${clear}>Clear filters</button><//>`;
      if (!found.matches.length) return html`<${Empty} text="No match has been played yet." />`;
      return html`<${MatchTable} run=${run} matches=${found.matches} sort=${sort} />
        <${Pager} shown=${found.matches.length} total=${found.total === null || found.total === undefined ? `${found.total_words} matches` : many(found.total, "match", "matches")} after=${chosen.after} next=${found.next} address=${(own) => query({ ...chosen, ...own })} change=${change} />`;
    }}<//>`}</div>`;
}
