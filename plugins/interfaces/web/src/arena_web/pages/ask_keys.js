// Keys that a run needs and the server does not have: asked for, sent once, and not kept here.
import { ask } from "./api.js";
import { Field } from "./field.js";
import { coded, html, useEffect, useRef, useState } from "./html.js";
import { Wrong, say, styled } from "./parts.js";

export default function AskKeys({ names, error, close, done }) {
  const place = useRef(null);
  const [problem, setProblem] = useState(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    styled("new_match");
    place.current.querySelector("input").focus();
    say(error?.what ?? "A key is needed.", true);
  }, []);
  const send = async (event) => {
    event.preventDefault();
    const fields = [...place.current.querySelectorAll("input")];
    const empty = fields.find((own) => !own.value);
    if (empty) return empty.focus();
    const typed = fields.map((own, field) => [names[field], own.value]);
    for (const own of fields) own.value = "";
    setBusy(true);
    try {
      for (const [name, key] of typed) await ask("/new/keys", { body: { name, key } });
      return done(names);
    } catch (found) {
      setProblem(found);
      return setBusy(false);
    }
  };
  return html`<form class="asked" aria-label="Keys that are needed" ref=${place} onSubmit=${send} onKeyDown=${(event) => event.key === "Escape" && close()}>
    <p>${coded(error?.what ?? "")}</p>
    ${names.map((name) => html`<${Field} key=${name} label=${`Key ${name}`}>${(tied) => html`<input type="password" autocomplete="off" spellcheck="false" ...${tied} />`}<//>`)}
    <p class="soft small">Sent once, and kept in the server's memory until it ends or is told to forget it.</p>
    ${problem && html`<${Wrong} error=${problem} />`}
    <div class="controls"><button class="main" disabled=${isBusy || null}>Set and continue</button><button type="button" onClick=${close}>Close</button></div></form>`;
}
