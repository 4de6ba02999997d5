// The parameters of a plugin as a form made from its JSON schema. What is as the plugin has it anyway is left out of the value.
import { FormView } from "./form.js";
import { html, many, shown, useLayoutEffect, useRef } from "./html.js";

const UNSET = { title: "not set", const: null, isUnset: true };
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const text = (value) => JSON.stringify(value);
const isNull = (schema) => schema.type === "null" || ("const" in schema && schema.const === null);
const choices = (schema) => schema.enum ?? ("const" in schema ? [schema.const] : schema.type === "boolean" ? [true, false] : null);
const forms = new WeakMap();

/** What the form shows of a schema: blank instead of null, one list instead of several, plugins by their names. */
export function formOf(schema) {
  if (!isObject(schema)) return {};
  if (!forms.has(schema)) forms.set(schema, made(schema));
  return forms.get(schema);
}

function made(schema) {
  const told = Object.fromEntries(["title", "description"].filter((own) => own in schema).map((own) => [own, schema[own]]));
  const limits = Object.fromEntries(["minimum", "maximum", "enum"].filter((own) => own in schema).map((own) => [own, schema[own]]));
  if (schema.plugin) return { ...told, enum: schema.names, isOptional: true };
  const all = schema.anyOf ?? schema.oneOf;
  if (all && schema.type !== "object") {
    const rest = all.filter((own) => !isNull(own)).map((own) => formOf({ ...limits, ...own }));
    const isOptional = rest.length < all.length;
    if (rest.every(choices)) return { ...told, enum: rest.flatMap(choices).filter((own) => own !== null), isOptional };
    if (rest.length === 1 && (!isOptional || !["array", "object"].includes(rest[0].type))) return { ...rest[0], ...told };
    return { ...told, anyOf: isOptional ? [UNSET, ...rest] : rest };
  }
  if (schema.enum) return { ...told, enum: schema.enum.filter((own) => own !== null), isOptional: schema.enum.includes(null) };
  if (schema.type === "string") return { isLong: false, ...schema };
  if (schema.type === "array") {
    const [first, ...more] = schema.prefixItems ?? [schema.items ?? {}];
    const items = more.every((own) => text(own) === text(first)) ? formOf(first) : {};
    return { ...schema, items, ...(schema.prefixItems ? { minItems: more.length + 1, maxItems: more.length + 1 } : {}) };
  }
  if (schema.type !== "object") return schema;
  const properties = Object.entries(schema.properties ?? {}).filter(([, own]) => !own.deprecated);
  return { ...told, type: "object", properties: Object.fromEntries(properties.map(([name, own]) => [name, formOf(own)])), required: requiredOf(schema), additionalProperties: isObject(schema.additionalProperties) ? formOf(schema.additionalProperties) : schema.additionalProperties === true ? {} : false };
}

/** The names that an object needs, of which the other spelling is let through by `anyOf`. */
const requiredOf = (schema) => [...(schema.required ?? []), ...(schema.allOf ?? []).flatMap((own) => own.anyOf?.[0]?.required ?? own.required ?? [])];

/** The value with which a form begins: what the plugin has by default, and over it what was chosen. */
export function begun(schema, value = {}) {
  const defaults = Object.entries(schema.properties ?? {}).filter(([, own]) => own.default !== undefined && own.default !== null && !own.deprecated);
  return { ...structuredClone(Object.fromEntries(defaults.map(([name, own]) => [name, own.default]))), ...value };
}

/** What of a value is not so by default. */
export function chosen(schema, value) {
  const kept = Object.entries(value).filter(([name, own]) => own !== undefined && text(own) !== text(schema.properties?.[name]?.default ?? null));
  return Object.fromEntries(kept);
}

/** Fields of a schema; `value` is read when they are first shown. `wrong` are mistakes: `{path, what}`. */
function Fields({ schema, names, value, change, label, wrong }) {
  const place = useRef(null);
  const view = useRef(null);
  const newest = useRef(change);
  newest.current = change;
  useLayoutEffect(() => {
    const form = formOf(schema);
    view.current = new FormView({ changed: (own) => newest.current(own), name: label });
    place.current.append(view.current.element);
    const own = begun(schema, value);
    view.current.show({ ...form, properties: Object.fromEntries(names.map((name) => [name, form.properties[name]])) }, Object.fromEntries(names.filter((name) => name in own).map((name) => [name, own[name]])));
  }, []);
  useLayoutEffect(() => mark(view.current.element, wrong));
  return html`<form class="settings" ref=${place} onSubmit=${(event) => event.preventDefault()}></form>`;
}

let count = 0;

/** Say what is wrong beside each field; what has no field stands on top. */
export function mark(element, wrong) {
  for (const own of element.querySelectorAll(".form-wrong")) own.remove();
  for (const own of element.querySelectorAll("[aria-invalid]")) own.removeAttribute("aria-invalid"), own.removeAttribute("aria-describedby");
  const fields = [...element.querySelectorAll("[data-pointer]")];
  for (const { path, what } of wrong) {
    const id = `form-wrong-${(count += 1)}`;
    const told = Object.assign(document.createElement("p"), { className: "form-wrong", id, dir: "auto", textContent: shown(what) });
    const parts = path.split("/");
    const near = (depth) => fields.filter((own) => `${own.dataset.pointer}/`.startsWith(`#${parts.slice(0, depth).join("/")}/`));
    const depth = parts.map((_, own) => parts.length - own).find((own) => own > 1 && near(own).length);
    const found = depth ? near(depth) : [];
    for (const own of found) own.setAttribute("aria-invalid", "true"), own.setAttribute("aria-describedby", id);
    if (found.length) found[0].closest(found.length > 1 ? "fieldset" : ".form-line, fieldset").after(told);
    else element.prepend(told);
  }
}

/** Whether a mistake lies in one of these fields. */
const isIn = (names) => ({ path }) => names.includes(path.split("/")[1]?.replaceAll("~1", "/").replaceAll("~0", "~"));

/** The settings of a plugin: those that most will change, and the rest folded. Give it a `key`: it reads `value` once. */
export default function Settings({ schema, value, change, label, first = [], most = 4, without = [], wrong = [] }) {
  const form = formOf(schema);
  const parts = useRef(null);
  if (!parts.current) {
    const names = Object.keys(form.properties ?? {}).filter((name) => !without.includes(name));
    const wanted = [...new Set([...names.filter((name) => form.required.includes(name)), ...first.filter((name) => names.includes(name)), ...names.slice(0, first.length ? 0 : most)])];
    const front = names.length - wanted.length < 2 ? names : wanted;
    parts.current = [front, names.filter((name) => !front.includes(name))];
  }
  const [front, more] = parts.current;
  const wasOpen = useRef(more.some((name) => name in value)).current;
  const changed = (part) => (next) => {
    const old = begun(schema, value);
    const kept = Object.fromEntries(Object.entries(old).filter(([name]) => !parts.current[part].includes(name)));
    change(chosen(schema, { ...kept, ...next }));
  };
  const others = wrong.filter((each) => !isIn(more)(each));
  const folded = wrong.filter(isIn(more));
  const fields = (part, found) => html`<${Fields} schema=${schema} names=${parts.current[part]} value=${value} change=${changed(part)} label=${part ? `more of ${label}` : label} wrong=${found} />`;
  return html`<div>${front.length > 0 ? fields(0, others) : others.map(({ what }) => html`<p class="form-wrong" key=${what}>${what}</p>`)}
    ${more.length > 0 && html`<details class="fold" open=${wasOpen || folded.length > 0 || null}><summary>${many(more.length, "more setting")}<span class="unseen"> of ${label}</span></summary><div class="folded">${fields(1, folded)}</div></details>`}</div>`;
}
