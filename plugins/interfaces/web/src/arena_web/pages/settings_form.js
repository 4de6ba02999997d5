// The settings of a plugin on a page: those that most will change, and the rest folded.
import { textOf } from "./elements.js";
import { Held } from "./held.js";
import { html, useLayoutEffect, useRef } from "./html.js";
import { keysOf } from "./form.js";
import { SchemaForm } from "./schema_form.js";

/**
 * Give it a `key`: it reads `value` once. First come the settings of `first`, else `most` of them; those of `without` are
 * left out. `change` gets what is not so by default; `wrong` are mistakes, `{path, what}`.
 */
export default function Settings({ schema, value, change, label, first = null, most = 4, without = [], wrong = [] }) {
  const form = useRef(null);
  const newest = useRef(change);
  newest.current = change;
  form.current ??= made(schema, value, { name: label, first, most, without }, (next) => newest.current(next));
  useLayoutEffect(() => form.current.blame(wrong.map(({ path, what }) => ({ path: keysOf(path), what }))), [JSON.stringify(wrong)]);
  return html`<${Held} class="settings" element=${form.current.element} />`;
}

function made(schema, value, { name, first, most, without }, change) {
  const names = Object.keys(schema.properties ?? {}).filter((own) => !without.includes(own));
  const front = [...(schema.required ?? []), ...(first ?? names.slice(0, most))].filter((own) => names.includes(own));
  const properties = Object.fromEntries([...front, ...names].map((own) => [own, schema.properties[own]]));
  const isDefault = (own, each) => textOf(each) === textOf(properties[own]?.default ?? null);
  const changed = (next) => change(Object.fromEntries(Object.entries(next).filter(([own, each]) => !isDefault(own, each))));
  const form = new SchemaForm({ name, front, changed });
  form.show({ ...schema, properties }, value);
  return form;
}
