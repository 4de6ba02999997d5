// A report: who is better with the ranking, then its sections, each fetched when it is opened.
import { query, useAnswer } from "./api.js";
import { html, number, useEffect, useState } from "./html.js";
import { Answer, Empty, useTitle } from "./parts.js";
import { Computing } from "./progress.js";
import { Leaders, Verdict } from "./run.js";
import { Table } from "./tables.js";

/** Open a section, which is fetched then. */
function openSection(name) {
  const section = document.getElementById(name);
  if (section) section.open = true;
}

export default function Report({ names: [run] }) {
  const header = useAnswer(`/run/${run}`, (data) => (data?.computing ? 2000 : 0));
  const answer = useAnswer(`/run/${run}/sections`, (data) => (data?.computing || data?.sections.some((own) => own.computing) ? 2000 : 0));
  const leaders = useAnswer(header.data?.done ? `/run/${run}/leaderboard` : null, (found) => (found?.computing ? 2000 : 0));
  const name = header.data?.name ?? run;
  const theme = useTheme();
  useTitle(`Report on ${name}`);
  return html`<div>
    <p class="crumbs"><a href="/">Runs</a> / <a href=${`/run/${run}`}>${name}</a> / report</p>
    <h1>Report on ${name}</h1>
    ${header.data?.done > 0 && html`<${Verdict} verdict=${header.data.verdict} computing=${header.data.computing} />`}
    ${leaders.data?.rows.length > 0 && html`<${Leaders} data=${leaders.data} />`}
    <${Answer} answer=${answer} rows=${6} label="loading the report">${({ sections, computing }) => (sections.length ? html`
      <h2>All sections</h2><p class="facts">as Markdown, LaTeX or HTML: <code>arena report ${name} -o FILE</code></p>
      <nav aria-label="Sections"><ul class="contents">${sections.map((own) => html`<li key=${own.number}><a href=${`#section-${own.number}`} onClick=${() => openSection(`section-${own.number}`)}>${own.title}</a></li>`)}</ul></nav>
      ${sections.map((own) => html`<${Section} key=${own.number} run=${run} section=${own} theme=${theme} />`)}` : computing ? html`<${Computing} text=${computing} isAll=${true} />` : html`<${Empty} text="No metric has anything to say yet; it will once a match is over." />`)}<//></div>`;
}

/** Whether the page is light or dark, as was chosen or as the system is. */
function useTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => ({ light: "light", dark: "dark" })[document.documentElement.dataset.theme] ?? (dark.matches ? "dark" : "light");
  const [theme, set] = useState(now());
  useEffect(() => {
    const read = () => set(now());
    const chosen = new MutationObserver(read);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    dark.addEventListener("change", read);
    read();
    return () => (chosen.disconnect(), dark.removeEventListener("change", read));
  }, []);
  return theme;
}

function Section({ run, section, theme }) {
  const [isOpen, open] = useState(location.hash === `#section-${section.number}`);
  const [after, setAfter] = useState(0);
  const answer = useAnswer(isOpen ? `/run/${run}/section/${section.number}${query({ after: after || "", theme })}` : null);
  return html`<details class="panel section" id=${`section-${section.number}`} open=${isOpen} onToggle=${(event) => event.target === event.currentTarget && open(event.target.open)} aria-label=${section.title}><summary><h2>${section.title}</h2></summary>
    <${Computing} text=${section.computing} />
    ${isOpen && html`<${Answer} answer=${answer} rows=${5} label=${`loading ${section.title}`} older=${true}>${(data) => html`
      ${data.text.map((text, index) => html`<p key=${index} class="prose" dir="auto">${text}</p>`)}
      ${data.figures.map((figure, index) => html`<${Figure} key=${index} figure=${figure} tables=${data.tables} />`)}
      ${data.tables.map((table, index) => (data.figures.some((own) => own.svg && own.table === index) ? null : html`<${Titled} key=${index} table=${table} />`))}
      ${html`<${Rows} tables=${data.tables} after=${after} setAfter=${setAfter} />`}
      ${!data.text.length && !data.tables.length && !data.figures.length && html`<${Empty} text="This metric found nothing to measure in these matches." />`}`}<//>`}
  </details>`;
}

function Titled({ table }) {
  return html`<div><h3>${table.title}</h3><${Table} ...${table} /></div>`;
}

/** The ways through tables that are too long to be shown at once. */
function Rows({ tables, after, setAfter }) {
  const most = Math.max(0, ...tables.map((table) => table.total_rows ?? 0));
  const shown = Math.max(0, ...tables.map((table) => table.rows.length));
  if (!after && shown >= most) return null;
  return html`<p class="pager"><span class="soft grow">rows ${number(after + 1)} to ${number(after + shown)} of ${number(most)}</span>${after > 0 && html`<button type="button" onClick=${() => setAfter(0)}>First rows</button>`}${after + shown < most && html`<button type="button" onClick=${() => setAfter(after + shown)}>Next rows</button>`}</p>`;
}

function Figure({ figure, tables }) {
  if (!figure.svg) return null;
  const table = tables[figure.table];
  return html`<figure><figcaption>${figure.title}</figcaption><img src=${figure.svg} alt=${figure.alternative} />${table && html`<details class="fold"><summary>its numbers</summary><div class="folded"><${Table} ...${table} /></div></details>`}</figure>`;
}
