// What the JSON schema of benchmark files says of one value: the kind of its field, and what belongs to that kind.
import { inside, isObject, without } from "./form.js";
import { textOf } from "./elements.js";

const SAID = ["title", "description", "default", "$schema", "$defs"];
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const SIZES = ["Length", "Items", "Properties"].flatMap((what) => [`min${what}`, `max${what}`]);
const BESIDE = new Set([...SAID, ...BOUNDS, ...SIZES, "type", "pattern"]);
/** The field of a value that is nothing, and cannot be left out to say so. */
export const NONE = { kind: "none", title: "none" };
const SECRET = "^\\$\\{";

/** A schema without its references; what stands beside a reference holds. */
function followed(root, schema) {
  let own = schema;
  for (let steps = 0; own.$ref && steps < 20; steps++) {
    const { $ref, ...rest } = own;
    const found = $ref.split("/").slice(1).reduce((each, name) => each?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], root);
    own = { ...found, ...rest };
  }
  return own;
}

/** Whether a part of a schema says no more than which keys are needed, in either spelling. */
const isNeed = (own) => Boolean(own.anyOf?.every((each) => each.required?.length && Object.keys(each).length === 1));

/** The values of a schema that lists them; null where it does not. */
function listed(schema) {
  if (schema.enum) return schema.enum;
  if ("const" in schema) return [schema.const];
  if (schema.type === "boolean") return [true, false];
  if (schema.type === "null") return [null];
  if (!schema.anyOf) return null;
  const found = schema.anyOf.map(listed);
  return found.every(Boolean) ? found.flat() : null;
}

/** The plugins among which one is chosen by `use`: their names, those that need no more, and the schema of each. */
function plugins(schema) {
  const tables = new Map((schema.else.allOf ?? []).map((own) => [own.if.properties.use.const, own.then]));
  const names = (schema.else.properties?.use?.anyOf ?? []).filter((own) => "const" in own);
  return { names: names.map((own) => ({ name: own.const, summary: own.description ?? "" })), alone: new Set(schema.then.anyOf.map((own) => own.const)), tables, other: schema.else };
}

function kindOf(schema) {
  if (schema.if?.type === "string" && schema.then?.anyOf && schema.else) return "plugin";
  if (schema.properties || schema.type === "object") return schema.properties ? "table" : "map";
  if (schema.type === "array") return schema.prefixItems ? "tuple" : "list";
  if (schema.type === "string") return schema.pattern?.startsWith(SECRET) ? "secret" : "text";
  if (["integer", "number"].includes(schema.type)) return "number";
  if (schema.anyOf) return "union";
  return Object.keys(schema).every((name) => BESIDE.has(name)) && !schema.type ? "any" : "unknown";
}

const KNOWN = {
  plugin: ["if", "then", "else"],
  table: ["properties", "patternProperties", "additionalProperties", "required", "allOf", "propertyNames", "if", "else"],
  map: ["additionalProperties", "propertyNames"],
  tuple: ["prefixItems"],
  list: ["items"],
  union: ["anyOf"],
};

/**
 * A schema as a field is made from it: `kind` is `enum`, `number`, `text`, `secret`, `any`, `list`, `tuple`, `map`,
 * `table`, `plugin`, `union`, `none`, or `unknown` where it says what no field is made for. Null is no kind: it `isNullable`.
 */
export function read(root, schema) {
  if (schema.kind) return schema; // it is read
  const own = followed(root, schema);
  // A plugin of a kind, of which no more than the names is known.
  const values = own.plugin ? own.names : listed(own);
  if (values) return { ...own, kind: "enum", values: unique(values.filter((each) => each !== null)), isNullable: values.includes(null) };
  const branches = own.anyOf?.filter((each) => each.type !== "null");
  if (!own.properties && branches?.length === 1) {
    const { anyOf, ...beside } = own;
    return { ...read(root, { ...branches[0], ...beside }), isNullable: anyOf.length > 1 };
  }
  const kind = kindOf(own);
  const isKnown = Object.keys(own).every((name) => BESIDE.has(name) || KNOWN[kind]?.includes(name)) && (own.allOf ?? []).every(isNeed);
  const more = kind === "plugin" ? plugins(own) : kind === "union" ? { branches: branches.map((each) => ({ ...beside(own), ...each })), isNullable: branches.length < own.anyOf.length } : kind === "table" ? { needed: needed(own) } : {};
  return { ...own, ...more, kind: isKnown ? kind : "unknown" };
}

/** Bounds that stand beside alternatives hold for each. */
const beside = (schema) => Object.fromEntries(Object.entries(schema).filter(([name]) => BOUNDS.includes(name) || SIZES.includes(name)));
const unique = (values) => values.filter((own, place) => values.findIndex((each) => textOf(each) === textOf(own)) === place);
const needed = (schema) => [...(schema.required ?? []), ...(schema.allOf ?? []).filter(isNeed).map((own) => own.anyOf[0].required[0])];

/** Whether a value is of a kind, roughly: enough to tell alternatives apart. */
export function isOf(own, value) {
  const is = {
    none: () => value === null,
    enum: () => own.values.some((each) => textOf(each) === textOf(value)),
    number: () => typeof value === "number",
    text: () => typeof value === "string",
    secret: () => typeof value === "string",
    list: () => Array.isArray(value),
    tuple: () => Array.isArray(value),
    map: () => isObject(value),
    table: () => isObject(value) && Object.keys(value).every((name) => keyed(own, name)),
    plugin: () => typeof value === "string" || (isObject(value) && "use" in value),
  };
  return is[own.kind]?.() ?? true;
}

/** Whether a table has a key, in either spelling. */
export const keyed = (table, name) => Object.hasOwn(table.properties, name) || Object.hasOwn(table.properties, name.replaceAll("_", "-"));

/** How a key of a table is spelt in a value: as it stands there, else as it should. */
export const spelt = (value, name) => (name in value ? name : name.replaceAll("-", "_") in value ? name.replaceAll("-", "_") : name);

/** What a value begins with when somebody adds it. */
export function begun(root, schema) {
  const own = read(root, schema);
  if (own.default !== undefined && own.default !== null) return own.default;
  const first = {
    none: () => null,
    enum: () => own.values[0],
    number: () => own.minimum ?? 0,
    list: () => Array.from({ length: own.minItems ?? 0 }, () => begun(root, own.items ?? {})),
    tuple: () => own.prefixItems.map((each) => begun(root, each)),
    map: () => ({}),
    table: () => Object.fromEntries(own.needed.filter((name) => own.properties[name]).map((name) => [name, begun(root, own.properties[name])])),
    plugin: () => chosen(root, own, own.names[0]?.name ?? ""),
    union: () => begun(root, own.branches[0]),
  };
  return own.kind in first ? first[own.kind]() : "";
}

/** A plugin that is chosen by its name, with the parameters of the one before that it has, too. */
export function chosen(root, own, use, before = {}) {
  const table = own.tables.has(use) ? followed(root, own.tables.get(use)) : null;
  const isKept = (name) => name !== "use" && (!table?.properties || keyed(table, name));
  const kept = isObject(before) ? Object.entries(before).filter(([name]) => isKept(name)) : [];
  return (own.alone.has(use) || !table) && !kept.length ? use : { use, ...Object.fromEntries(kept) };
}

/**
 * A value after what stands at a place in it is changed, or taken away where that is `undefined`. `places` says of a pointer
 * what stands there where nothing is written (`fresh`), and whether it may be left out once nothing is in it (`isSpare`).
 */
export function changed(value, keys, next, places = new Map(), pointer = "") {
  if (!keys.length) return next;
  if (typeof value === "string" && next === undefined) return value;
  const [name, ...rest] = keys;
  const held = value === undefined || value === null ? (places.get(pointer)?.fresh ?? {}) : typeof value === "string" ? { use: value } : value;
  const at = inside(pointer, name);
  let own = changed(held[name], rest, next, places, at);
  if (rest.length && next === undefined && places.get(at)?.isSpare && isObject(own) && !Object.keys(own).length) own = undefined;
  if (!Array.isArray(held)) return own === undefined ? without(held, name) : { ...held, [name]: own };
  const items = [...held];
  items.splice(name === "-" ? items.length : Number(name), 1, ...(own === undefined ? [] : [own]));
  return items;
}

/** The bounds of a number in words. */
export function bounds({ minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: under }) {
  const least = minimum ?? above;
  const most = maximum ?? under;
  return [above !== undefined ? `more than ${above}` : least !== undefined && `from ${least}`, under !== undefined ? `less than ${under}` : most !== undefined && most < 1e9 && `${least === undefined ? "up " : ""}to ${most}`].filter(Boolean).join(" ");
}
