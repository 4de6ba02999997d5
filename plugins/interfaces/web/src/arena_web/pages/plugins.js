// What is installed: every plugin with its state, why it is not to be had, and what helps.
import { useAddress, useAnswer } from "./api.js";
import { html, many, words } from "./html.js";
import { written } from "./numbers.js";
import { Answer, Chip, Empty, useTitle } from "./parts.js";
import { Table } from "./tables.js";

const TONES = { unavailable: "stopped", broken: "damaged" };

export default function Plugins() {
  useTitle("Plugins");
  const [address, change] = useAddress();
  const [q, kind] = [address.get("q") ?? "", address.get("kind") ?? ""];
  const answer = useAnswer("/plugins");
  const type = (event) => change({ q: event.target.value }, { isStep: false });
  return html`<div><div class="head"><h1>Plugins</h1></div>
    <${Answer} answer=${answer} rows=${8} label="loading the plugins">${({ plugins }) => {
      const kinds = [...new Set(plugins.map((own) => own.kind))];
      const fits = (own) => (!kind || own.kind === kind) && `${own.name} ${own.dist} ${own.summary}`.toLowerCase().includes(q.toLowerCase());
      const found = plugins.filter(fits);
      const groups = kinds.map((name) => [name, found.filter((own) => own.kind === name)]).filter(([, own]) => own.length);
      const clear = () => change({ q: "", kind: "" });
      return html`<div><div class="filters" role="search"><label><span class="unseen">Search plugins</span><input type="search" placeholder="name or what it does" value=${q} onInput=${type} /></label>
          <label><span class="unseen">Kind</span><select value=${kind} onChange=${(event) => change({ kind: event.target.value })}><option value="">every kind</option>${kinds.map((name) => html`<option key=${name} value=${name} selected=${name === kind}>${name}</option>`)}</select></label>
          <span class="soft small" role="status">${many(found.length, "plugin")}</span></div>
        ${!plugins.length && html`<${Empty} text="No plugin is installed: pip install playarena." />`}
        ${plugins.length > 0 && !found.length && html`<${Empty} text="No plugin fits."><button type="button" onClick=${clear}>Show all plugins</button><//>`}
        ${groups.map(([name, own]) => html`<section class="panel" key=${name} aria-label=${name}><h2>${name} <span class="soft">${own.length}</span></h2><ul class="plugins">${own.map((each) => html`<${Plugin} key=${each.name} plugin=${each} isChosen=${address.get("show") === `${each.kind} ${each.name}`} />`)}</ul></section>`)}</div>`;
    }}<//></div>`;
}

function Plugin({ plugin, isChosen }) {
  const [, change] = useAddress();
  const id = `${plugin.kind} ${plugin.name}`;
  const press = (event) => {
    event.preventDefault();
    change({ show: isChosen ? "" : id }, { isStep: false });
  };
  return html`<li><details class="fold" open=${isChosen}><summary onClick=${press}><span>${plugin.name}</span> ${plugin.status !== "ok" && html`<${Chip} state=${TONES[plugin.status] ?? "stopped"} text=${plugin.status} />`} <span class="summary-text" dir="auto">${plugin.summary}</span></summary>
    <div class="folded">${(plugin.reason || plugin.remedy) && html`<p class="note">${plugin.reason}${plugin.remedy && html`; ${plugin.remedy}`}</p>`}<p class="soft small">from ${plugin.dist} ${plugin.version}</p>${isChosen && html`<${About} plugin=${plugin} />`}</div></details></li>`;
}

function About({ plugin }) {
  const answer = useAnswer(`/plugins/${encodeURIComponent(plugin.kind)}/${encodeURIComponent(plugin.name)}`);
  const columns = ["name", "default", "meaning"].map((name) => ({ id: name, title: name === "name" ? "parameter" : name, style: "text" }));
  const facts = (data) => Object.entries(data.facts ?? {});
  return html`<${Answer} answer=${answer} rows=${3} label=${`loading ${plugin.name}`}>${(data) => html`
    ${data.text && html`<p class="prose" dir="auto">${data.text}</p>`}
    ${facts(data).length > 0 && html`<dl class="pairs">${facts(data).flatMap(([name, value]) => [html`<dt key=${name}>${String(name).replaceAll("_", " ")}</dt>`, html`<dd key=${`${name} is`}>${typeof value === "object" ? words(value) : written(value)}</dd>`])}</dl>`}
    ${data.parameters?.length > 0 && html`<${Table} title=${`Parameters of ${plugin.name}`} columns=${columns} rows=${data.parameters.map((own) => ({ key: own.name, cells: { name: own.name, default: own.default === undefined || own.default === null ? "–" : words(own.default), meaning: own.meaning ?? own.help ?? own.doc ?? "" } }))} />`}`}<//>`;
}
