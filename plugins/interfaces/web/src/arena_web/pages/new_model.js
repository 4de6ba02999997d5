// A model as a player: its provider or server, its key, how it is asked, and a test of it.
import { ask } from "./api.js";
import { Choice, Field } from "./field.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { keyName } from "./new_plan.js";
import { written } from "./numbers.js";
import Settings from "./settings_form.js";
import { Wrong, say } from "./parts.js";

const FIRST = ["model", "base-url", "temperature", "top-p", "max-tokens"];

/** The setting of a backend that takes the key, which is no part of its form. */
const KEY = "api-key";

export default function Model({ title, player, put, choices, position, wrongAt, draft }) {
  const backend = choices.backends.find((own) => own.name === player.backend.use);
  const llm = choices.agents.find((own) => own.name === "llm");
  const usual = llm?.schema.properties?.prompt?.default ?? {};
  const choose = (use) => put(["backend"], { use, parameters: {} });
  const style = String(player.prompt.style ?? usual.style ?? "");
  const shown = String(player.prompt.form ?? usual.form ?? "text");
  const forms = [...new Set([...(position?.forms.filter((own) => own !== "scene") ?? []), shown])];
  const [asked, styled] = [wrongAt("/prompt"), (what) => wrongAt(`/prompt/${what}`)];
  return html`<${Choice} label="Reached by" hint=${backend?.title ?? null} value=${player.backend.use} options=${choices.backends.map((own) => [String(own.name), String(own.name)])} wrong=${wrongAt("/backend").filter((own) => ["", "/use"].includes(own.path))} put=${choose} />
    ${backend && html`<${Settings} key=${backend.name} schema=${backend.schema} value=${player.backend.parameters} first=${FIRST} without=${[KEY]} change=${(next) => put(["backend", "parameters"], next)} label=${`model of ${title}`} wrong=${wrongAt("/backend").filter((own) => !["", "/use"].includes(own.path))} />`}
    ${backend && KEY in (backend.schema.properties ?? {}) && html`<${Key} key=${keyName(player.backend)} name=${keyName(player.backend)} title=${title} wrong=${wrongAt("/key")} draft=${draft} />`}
    <${Choice} label="Prompt" hint=${choices.styles.find((own) => own.name === style)?.title ?? null} value=${style} options=${choices.styles.map((own) => [String(own.name), String(own.name)])} wrong=${styled("style")} put=${(next) => put(["prompt", "style"], next)} />
    <${Choice} label="The position is shown as" value=${shown} options=${forms.map((own) => [own, position && !position.forms.includes(own) ? `${own} (not in this game)` : own])} wrong=${[...styled("form"), ...asked.filter((own) => !own.path)]} put=${(form) => put(["prompt", "form"], form)} />
    ${llm && html`<${Settings} key="asking" schema=${llm.schema} value=${player.asking} without=${["prompt", "backend"]} most=${0} first=${["none"]} change=${(next) => put(["asking"], next)} label=${`how ${title} is asked`} wrong=${wrongAt("/parameters")} />`}
    <${Test} player=${player} title=${title} draft=${draft} />`;
}

/** The key of a model: typed, sent once, and then only known to be set. */
function Key({ name, title, wrong, draft }) {
  const place = useRef(null);
  const field = useRef(null);
  const [error, setError] = useState(null);
  const isSet = draft.keys.includes(name);
  const was = useRef(isSet);
  // What had the focus is gone when a key is set or forgotten.
  useEffect(() => {
    if (was.current !== isSet && document.activeElement === document.body) place.current.querySelector("input, button").focus();
    was.current = isSet;
  }, [isSet]);
  const send = (event) => {
    event.preventDefault();
    const key = field.current?.value;
    if (!key) return;
    field.current.value = "";
    draft.sendKey(name, key).then(() => (setError(null), say("The key is set.")), setError);
  };
  const forget = () => ask("/new/keys/forget", { body: { name } }).then(() => (draft.haveKeys((old) => old.filter((own) => own !== name)), setError(null), say("The key is forgotten.")), setError);
  return html`<div ref=${place}>${isSet ? html`<div class="field"><span>Key</span><p class="row"><span class="chip good">set</span><code>${name}</code><button type="button" aria-label=${`Forget the key of ${title}`} onClick=${forget}>Forget</button></p></div>` : html`<${Field} label="Key" wrong=${wrong} hint=${`Sent once and kept in the server's memory, as ${name}. Leave it blank if none is needed, or if the server has it in its environment.`}>${(tied) => html`<form class="row" onSubmit=${send}><input type="password" autocomplete="off" spellcheck="false" ref=${field} ...${tied} onChange=${send} /><button aria-label=${`Set the key of ${title}`}>Set</button></form>`}<//>`}
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}

/** Asks the model for one short answer. */
function Test({ player, title, draft }) {
  const [state, set] = useState({});
  const { backend } = player;
  const test = async () => {
    set({ isBusy: true });
    try {
      const [name, keys] = [keyName(backend), await draft.keysNow()];
      const found = await ask("/new/test", { body: { agent: { use: "llm", backend: { use: backend.use, ...backend.parameters, ...(keys.includes(name) ? { [KEY]: `\${${name}}` } : {}) } } } });
      set({ found });
      say(`The model has answered in ${written(found.seconds, "seconds")}.`);
    } catch (error) {
      set({ error });
    }
  };
  const { found, error, isBusy } = state;
  return html`<div class="test"><button type="button" disabled=${isBusy || null} aria-label=${`Test this model, ${title}`} onClick=${test}>Test this model</button>
    ${isBusy && html`<span class="soft small" role="status">asking …</span>`}
    ${found && html`<p class="small" role="status">It answered in <b>${written(found.seconds, "seconds")}</b>${found.connected_s !== null && found.connected_s !== undefined && html` (connected after ${written(found.connected_s, "seconds")})`}, ${found.cost_usd === null || found.cost_usd === undefined ? "at a cost that is not known" : html`for <b>${written(found.cost_usd, "money")}</b>`}, with ${written(found.prompt_tokens, "count")} tokens asked and ${written(found.completion_tokens, "count")} answered: <q dir="auto">${String(found.answer ?? "").slice(0, 200)}</q>${found.able?.length > 0 && html`<br /><span class="soft">${found.model} can: ${found.able.join(", ")}</span>`}</p>`}
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}
