// The links that a host lent, of a run or of one match: made, listed with their ends, and ended.
import { ask, useAnswer } from "./api.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { MadeLink, addressOf } from "./made_link.js";
import { When } from "./numbers.js";
import { Answer, Empty, Wrong, say } from "./parts.js";

const LASTS = [["", "until you end it"], [3600, "for an hour"], [86400, "for a day"], [604800, "for a week"]];
const NAMES = { seat: "seat", reader: "reader of everything", bystander: "spectator" };

/** The dialog of links; of one match, to watch it, where there is a `match`. */
export default function Links({ run, match = null, close }) {
  const dialog = useRef(null);
  const lent = useAnswer("/links");
  useEffect(() => {
    dialog.current.showModal();
  }, []);
  const isOwn = (own) => (match ? own.right === "bystander" && own.run === run && own.match === match : own.run === run || own.right === "reader");
  return html`<dialog ref=${dialog} class="links" aria-labelledby="links-title" onClose=${close}>
    <h2 id="links-title">${match ? "Links to watch this match" : "Links of this run"}</h2>
    ${match ? html`<${Make} run=${run} match=${match} again=${lent.again} />` : html`<p class="soft small">Links to seats are made at <i>Human seats</i>, those to watch a match on its page.</p>`}
    <${Answer} answer=${lent} rows=${2} label="loading the links" older=${true}>${({ links }) => (links.some(isOwn) ? html`<ul class="choices">${links.filter(isOwn).map((own) => html`<${Lent} key=${own.id} own=${own} run=${run} isAlone=${Boolean(match)} again=${lent.again} />`)}</ul>` : html`<${Empty} text="Nobody has a link." />`)}<//>
    <p><button type="button" onClick=${() => dialog.current.close()}>Close</button></p></dialog>`;
}

/** Makes a link to watch a match. */
function Make({ run, match, again }) {
  const [made, setMade] = useState(null);
  const [error, setError] = useState(null);
  const [lasts, last] = useState("");
  const make = async () => {
    try {
      setMade(addressOf(await ask("/links", { body: { right: "bystander", run, match, ...(lasts ? { expires_s: Number(lasts) } : {}) } })));
      setError(null);
      say("The link is made.");
      again();
    } catch (found) {
      setError(found);
    }
  };
  return html`<div><p class="small">Whoever opens it sees what is public of this match, and nothing else.</p>
    <p class="head"><label class="small">It opens <select value=${lasts} onChange=${(event) => last(event.target.value)}>${LASTS.map(([seconds, words]) => html`<option key=${words} value=${seconds}>${words}</option>`)}</select></label><button type="button" class="main" onClick=${make}>Make a link</button></p>
    ${made && html`<p class="head"><${MadeLink} made=${made} name="to watch this match" /></p>`}
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}

/** One link that opens something, and the button that ends it. */
function Lent({ own, run, isAlone, again }) {
  const [error, setError] = useState(null);
  const what = own.right === "seat" ? `seat of ${own.agent}${own.player === null ? "" : `, as player ${Number(own.player) + 1}`}` : NAMES[own.right];
  const name = `${what}${own.label && !isAlone ? ` of ${own.label}` : ""}`;
  const end = () => ask(`/links/${own.id}`, { method: "DELETE" }).then(() => (say("The link is ended."), again()), setError);
  return html`<li><span class="grow">${own.label && !isAlone ? html`${what} of <a href=${`/run/${run}/match/${own.match}`}>${own.label}</a>` : what}<span class="soft small"> · ${own.expires ? html`until <${When} time=${own.expires} />` : "until you end it"} · <code>${String(own.id).slice(0, 6)}</code></span></span>
    <button type="button" title="it opens nothing any more" aria-label=${`End: ${name}, ${String(own.id).slice(0, 6)}`} onClick=${end}>End</button>
    ${error && html`<${Wrong} error=${error} />`}</li>`;
}
