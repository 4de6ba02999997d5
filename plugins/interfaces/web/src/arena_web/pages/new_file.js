// The benchmark file that a plan amounts to.
import { coded, html, useEffect, useRef } from "./html.js";
import { say } from "./parts.js";

export default function File({ text, name }) {
  const place = useRef(null);
  useEffect(() => place.current.focus(), []);
  const copy = () => navigator.clipboard.writeText(text).then(() => say("The file is copied."), () => say("Copy it by hand: the browser does not allow it.", true));
  const save = () => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type: "text/yaml" })), download: `${name || "benchmark"}.yaml` });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return html`<section aria-label="The file"><div class="head"><h3 tabindex="-1" ref=${place}>The file</h3><span class="grow"></span><button type="button" onClick=${copy}>Copy</button><button type="button" onClick=${save}>Download</button></div>
    <p class="soft small">${coded("What will be played, as a benchmark file: `arena run FILE` plays the same in a terminal.")}</p><pre class="words" tabindex="0" role="group" aria-label="the benchmark file">${text}</pre></section>`;
}
