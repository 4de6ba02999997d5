// One look-up: what it asks for, and its answer, drawn where the game draws it, with the actions that it suggests.
import { Held } from "./held.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import Question from "./question.js";
import { SceneView } from "./scene.js";
import { Wrong, say } from "./states.js";
import { TouchView } from "./touches.js";

const MOST = 200; // entries of an answer that are shown

const isPlain = (value) => value === null || typeof value !== "object";

/** A value out of JSON, readable. */
function Told({ value, depth = 0 }) {
  if (isPlain(value)) return html`<span dir="auto">${value ?? "–"}</span>`;
  const entries = Object.entries(value).map(([name, own]) => [name.replaceAll("_", " "), own]);
  const rest = entries.length > MOST ? `and ${entries.length - MOST} more` : "";
  const first = entries.slice(0, MOST);
  const isList = Array.isArray(value);
  if (depth > 5 || first.every(([, own]) => isPlain(own))) return html`<span dir="auto">${[...first.map(([name, own]) => `${isList ? "" : `${name}: `}${isPlain(own) ? (own ?? "–") : JSON.stringify(own)}`), rest].filter(Boolean).join(", ") || "none"}</span>`;
  const inner = (own) => html`<${Told} value=${own} depth=${depth + 1} />`;
  return html`<div>${isList ? html`<ul class="answers">${first.map(([name, own]) => html`<li key=${name}>${inner(own)}</li>`)}</ul>` : html`<dl class="pairs">${first.map(([name, own]) => [html`<dt key=${name}>${name}</dt>`, html`<dd key=${`${name}:`}>${inner(own)}</dd>`])}</dl>`}${rest}</div>`;
}

/** An answer as a picture: what is touched in it changes the form, or leads to another look-up. */
function Drawn({ found, acting }) {
  const newest = useRef(acting);
  newest.current = acting;
  const [{ scene, touch }] = useState(() => {
    const scene = new SceneView();
    const fill = (changes) => {
      newest.current.views.form.fill(changes);
      say("It stands in the form; nothing is sent.");
    };
    const ask = (query, given) => newest.current.setAsking({ query, given: given ?? {}, before: newest.current.asking });
    return { scene, touch: new TouchView(scene, { choose: (...own) => newest.current.choose(...own), fill, ask }) };
  });
  useLayoutEffect(() => scene.show(found.scene), [found]);
  useLayoutEffect(() => {
    if (acting.canAct && found.touches) touch.show(found.touches);
    else touch.clear();
  }, [found, acting.canAct]);
  return html`<div class="touches"><${Held} element=${scene.element} /><${Held} element=${touch.menu} /><${Held} element=${touch.buttons} /></div>`;
}

function Found({ found, acting }) {
  const { canAct, use, verdict } = acting;
  return html`${found.error && html`<${Wrong} error=${found.error} />`}
    ${found.illegal && html`<p class="note">${found.illegal}</p>`}
    ${(found.actions ?? []).length > 0 && html`<ul class="uses">${found.actions.slice(0, MOST).map((own, row) => html`<li key=${row}><span class="grow" dir="auto">${own.label}</span><button type="button" disabled=${!canAct} aria-label=${`use: ${own.label}`} onClick=${() => use(own.action, own.label)}>Use</button></li>`)}</ul>
      ${verdict?.legal && verdict.words && html`<p class="soft" dir="auto">in your form: ${verdict.words}</p>`}`}
    ${found.scene ? html`<${Drawn} found=${found} acting=${acting} />` : "answer" in found && html`<${Told} value=${found.answer} />`}`;
}

export default function LookUp({ place, query, title, acting }) {
  const { canAct, asking, setAsking } = acting;
  const [found, setFound] = useState(null);
  const answer = useRef(null);
  const ask = async (given) => {
    setFound({ isAwaited: true });
    try {
      setFound(await place.lookUp(query.name, given));
    } catch (error) {
      setFound({ error });
    }
    answer.current?.focus();
  };
  useEffect(() => {
    if (asking.given) ask(asking.given);
  }, [asking]);
  const question = html`<${Question} title=${title} query=${query} canAsk=${canAct && query.left !== 0} ask=${ask} />`;
  return html`<div>${asking.given ? html`<details><summary class="soft small">Look up something else</summary>${question}</details>` : question}
    ${found && html`<div class="answer" ref=${answer} tabindex="0" aria-label="answer" role="group">
      ${asking.before?.given && html`<p><button type="button" onClick=${() => setAsking(asking.before)}>Back</button></p>`}
      ${found.isAwaited ? html`<p class="soft" role="status">looking up …</p>` : html`<${Found} found=${found} acting=${acting} />`}</div>`}</div>`;
}
