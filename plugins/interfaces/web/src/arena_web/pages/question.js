// The form of a look-up's arguments.
import { Held } from "./held.js";
import { FormView } from "./form.js";
import { html, useLayoutEffect, useState } from "./html.js";

export default function Question({ query, title, canAsk, ask }) {
  const [view] = useState(() => new FormView({ name: title }));
  useLayoutEffect(() => view.show(query.schema ?? {}), []);
  return html`<div class="question"><p class="soft small">${query.description}</p>
    <${Held} element=${view.element} hidden=${!Object.keys(query.schema?.properties ?? {}).length} />
    <button type="button" disabled=${!canAsk} onClick=${() => ask(view.value ?? {})}>Look up ${title}</button></div>`;
}
