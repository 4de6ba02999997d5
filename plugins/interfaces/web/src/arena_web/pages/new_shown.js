// What a plan may use and how much it can tell; and the benchmark file that it amounts to.
import { coded, html, number, useEffect, useRef } from "./html.js";
import { lasting, written } from "./numbers.js";
import { say } from "./parts.js";

/** The heading of what was asked for has the focus once it is there. */
function useArrival() {
  const place = useRef(null);
  useEffect(() => place.current.focus(), []);
  return place;
}

/** A number with what it may be at least and at most. */
function between(values, style) {
  if (!values) return "not known";
  const [least, likely, most] = values;
  const text = (value) => (value === null ? "no bound" : style === "seconds" ? lasting(value) : written(value, style));
  return least === most ? text(likely ?? most) : `${text(likely)} (${text(least)} to ${text(most)})`;
}

export function Estimated({ found }) {
  const place = useArrival();
  return html`<section class="estimated" aria-label="Estimate"><h3 tabindex="-1" ref=${place}>Estimate</h3>
    <dl class="pairs"><dt>matches</dt><dd>${number(found.matches)}</dd><dt>calls of models</dt><dd>${between(found.calls, "count")}</dd><dt>cost</dt><dd>${between(found.cost_usd, "money")}</dd><dt>time</dt><dd>${between(found.seconds, "seconds")}</dd></dl>
    ${(found.power ?? []).map((text) => html`<p class="small" key=${text}>${coded(text)}</p>`)}
    <details class="fold"><summary>What this rests on, as ${coded("`arena run --dry-run`")} says it</summary><div class="folded">${(found.words ?? []).map((text, place) => html`<p class="small" key=${place}>${coded(text)}</p>`)}</div></details></section>`;
}

export function File({ text, name }) {
  const place = useArrival();
  const copy = () => navigator.clipboard.writeText(text).then(() => say("The file is copied."), () => say("Copy it by hand: the browser does not allow it.", true));
  const save = () => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type: "text/yaml" })), download: `${name || "benchmark"}.yaml` });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return html`<section aria-label="The file"><div class="head"><h3 tabindex="-1" ref=${place}>The file</h3><span class="grow"></span><button type="button" onClick=${copy}>Copy</button><button type="button" onClick=${save}>Download</button></div>
    <p class="soft small">${coded("What will be played, as a benchmark file: `arena run FILE` plays the same in a terminal.")}</p><pre class="words" tabindex="0" role="group" aria-label="the benchmark file">${text}</pre></section>`;
}
