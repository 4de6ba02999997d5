// Scoring a run by a rubric, one question after another: what `arena annotate` asks, and the same file.
import { ask, useAddress } from "./api.js";
import { mayHold } from "./doing.js";
import { html, many, number, useEffect, useRef, useState } from "./html.js";
import { Bars, Empty, Panel, Wrong, say, useTitle } from "./parts.js";
import { Scored } from "./scoring.js";
import { Table } from "./tables.js";

export default function Annotate({ names: [run], me }) {
  const [found, changeAddress] = useAddress();
  const chosen = { rubric: found.get("rubric") ?? "", annotator: found.get("as") ?? "", share: Number(found.get("share")) || 1, at: found.has("at") ? Number(found.get("at")) : null };
  const [offered, offer] = useState({ data: null, error: null });
  const change = ({ annotator, share, ...more }, isStep = true) => changeAddress({ ...more, ...(annotator === undefined ? {} : { as: annotator }), ...(share === undefined ? {} : { share: share === 1 ? "" : share }) }, { isStep });
  const isHost = mayHold(me);
  useTitle(`Score ${run}`);
  useEffect(() => {
    if (isHost) ask(`/run/${run}/rubrics`, { body: {} }).then((data) => offer({ data, error: null }), (error) => offer({ data: null, error }));
  }, [isHost]);
  const isBegun = chosen.rubric && chosen.annotator;
  return html`<div>
    <p class="crumbs"><a href="/">Runs</a> / <a href=${`/run/${run}`}>${run}</a> / score</p>
    <div class="head"><h1>Score what players did</h1><span class="grow"></span>${isBegun && html`<button type="button" onClick=${() => change({ annotator: "", at: null })}>Other rubric or name</button>`}</div>
    ${!me ? html`<${Bars} rows=${4} label="loading" />` : !isHost ? html`<${Empty} text=${`Only the host scores a run here; \`arena annotate ${run}\` asks the same in a terminal.`} />` : offered.error ? html`<${Wrong} error=${offered.error} />` : !offered.data ? html`<${Bars} rows=${4} label="loading the rubrics" />` : isBegun ? html`<${Questions} run=${run} chosen=${chosen} change=${change} file=${offered.data.file} />` : html`<${Begin} offered=${offered.data} chosen=${chosen} begin=${change} run=${run} />`}</div>`;
}

/** By which rubric, under which name, and how much of the run. */
function Begin({ offered, chosen, begin, run }) {
  const judged = offered.rubrics.find((own) => own.judges.length)?.name;
  const [rubric, setRubric] = useState(chosen.rubric || judged || offered.rubrics[0]?.name || "");
  const own = offered.rubrics.find((each) => each.name === rubric);
  const send = (event) => {
    event.preventDefault();
    const found = new FormData(event.target);
    begin({ rubric, annotator: String(found.get("annotator")).trim(), share: Number(found.get("share")) / 100, at: null });
  };
  return html`<div><form class="panel begin" aria-label="Begin" onSubmit=${send}>
      <label>Rubric <select value=${rubric} onChange=${(event) => setRubric(event.target.value)}>${offered.rubrics.map((each) => html`<option key=${each.name} value=${each.name}>${each.name}</option>`)}</select></label>
      ${own && html`<p class="soft small">${many(own.dimensions, "score")} for each ${own.per}${own.judges.length ? `; ${own.judges.join(", ")} of this run judges by it` : ""}.</p>`}
      <label>Your name <input type="text" name="annotator" required=${true} pattern=".*\\S.*" maxlength="80" autocomplete="off" value=${chosen.annotator} list="annotators" /></label>
      <datalist id="annotators">${offered.annotators.map((name) => html`<option key=${name} value=${name}></option>`)}</datalist>
      <label>Share that is scored <input type="number" name="share" min="1" max="100" step="any" required=${true} value=${100 * chosen.share} /> %</label>
      <p class="soft small">A part is drawn, the same for everybody. Scores stand in <code>${offered.file}</code> of the run, as <code>arena annotate</code> writes them.</p>
      <p><button class="main">Begin</button></p></form>
    ${rubric && offered.annotators.length > 0 && html`<${Agreement} key=${rubric} run=${run} rubric=${rubric} />`}</div>`;
}

/** One question at a time, and the ways between them. */
function Questions({ run, chosen, change, file }) {
  const { rubric, annotator, share, at } = chosen;
  const [{ data, error }, set] = useState({ data: null, error: null });
  const [again, setAgain] = useState(0);
  const place = useRef(null);
  useEffect(() => {
    let isOld = false;
    const body = { rubric, annotator, share, ...(at === null ? {} : { at }) };
    ask(`/run/${run}/question`, { body }).then((found) => {
      if (isOld) return;
      set({ data: found, error: null });
      say(found.question ? `Question ${number(found.at + 1)} of ${number(found.total)}` : "All is scored.");
    }, (problem) => isOld || set({ data: null, error: problem }));
    return () => (isOld = true);
  }, [rubric, annotator, share, at, again]);
  useEffect(() => place.current?.focus(), [data]);
  if (error) return html`<${Wrong} error=${error} again=${() => setAgain(again + 1)} />`;
  if (!data) return html`<${Bars} rows=${8} label="loading the question" />`;
  const go = (to) => (to === at ? setAgain(again + 1) : change({ at: to }));
  const { question, total, done } = data;
  const facts = html`<p class="soft small">${annotator} · ${rubric} · ${number(done)} of ${number(total)} scored</p><progress value=${done} max=${Math.max(total, 1)} aria-label="scored"></progress>`;
  if (!question) return html`<div>${facts}<h2 tabindex="-1" ref=${place}>${total ? "All is scored" : "Nothing to score"}</h2>
    <p class="prose">${total ? `It stands in ${file} of the run.` : "No match is over in which there is something to score by this rubric."}</p>
    ${total > 0 && html`<p class="head"><button type="button" onClick=${() => go(total - 1)}>Look at the last one</button></p><${Agreement} run=${run} rubric=${rubric} />`}</div>`;
  return html`<div>${facts}
    <div class="scored">
      <section class="panel" aria-label="The match"><h2 tabindex="-1" ref=${place}>Question ${number(data.at + 1)}: ${question.title}</h2>
        ${question.rules && html`<details class="fold"><summary>Rules</summary><div class="folded prose" dir="auto">${question.rules}</div></details>`}
        <pre class="told" tabindex="0" role="group" aria-label="the match as far as it is scored" dir="auto">${question.text}</pre></section>
      <${Scored} key=${data.at} question=${question} send=${(subject, scores) => ask(`/run/${run}/score`, { body: { rubric, annotator, share, at: data.at, subject, scores } })} over=${() => go(null)} /></div>
    <nav class="pager" aria-label="Questions"><span class="soft grow">digits choose a score and continue with the next one; Enter on the button saves</span>
      <button type="button" disabled=${!data.at} onClick=${() => go(data.at - 1)}>Previous</button>
      <button type="button" disabled=${data.at + 1 >= total} onClick=${() => go(data.at + 1)}>Skip</button>
      <button type="button" onClick=${() => go(null)}>First unanswered</button></nav></div>`;
}

/** How far everybody agrees, once that is asked for. */
function Agreement({ run, rubric }) {
  const [{ table, error }, set] = useState({ table: null, error: null });
  const compare = () => ask(`/run/${run}/agreement`, { body: { rubric } }).then((data) => set({ table: data.table, error: null }), (problem) => set({ table: null, error: problem }));
  return html`<${Panel} title="Agreement" aside=${html`<button type="button" onClick=${compare}>Compare the raters</button>`}>
    ${error ? html`<${Wrong} error=${error} />` : table ? html`<${Table} ...${table} />` : html`<p class="soft">Judges of the run and persons, two by two: per cent, mean absolute error and κ.</p>`}<//>`;
}
