// The differences between scenes, as in arena_scene.frames; whoever only shows them needs `patch` of scene.js alone.

import { textOf } from "./elements.js";
import { items, named } from "./scene.js";

const isEmpty = (value) => Object.keys(value).length === 0;
const filled = (found) => Object.fromEntries(Object.entries(found).filter(([, own]) => own && !isEmpty(own)));
const has = (object, name) => Object.hasOwn(object, name);

/** What makes one scene out of an earlier one; empty if they are equal. */
export function difference(before, after) {
  const [head, lists] = [{}, {}];
  for (const [name, own] of Object.entries(after)) {
    if (name === "parts" || (has(before, name) && textOf(before[name]) === textOf(own))) continue;
    const [old, fresh] = [items(before[name]), items(own)];
    if (!old || !fresh || typeof before[name] !== typeof own) head[name] = own;
    else lists[name] = edit(old, fresh);
  }
  const gone = Object.keys(before).filter((name) => !has(after, name)).sort();
  const found = filled({ head, gone, lists });
  return after.parts ? { ...found, ...partsThatDiffer(named(before.parts), named(after.parts)) } : found;
}

function partsThatDiffer(before, after) {
  const parts = {};
  for (const [name, part] of after) {
    const old = before.get(name);
    const own = old && old.part === part.part ? difference(old, part) : { new: part };
    if (!isEmpty(own)) parts[name] = own;
  }
  const isOrdered = textOf([...before.keys()]) === textOf([...after.keys()]);
  return { ...(isOrdered ? {} : { order: [...after.keys()] }), ...filled({ parts }) };
}

function edit(before, after) {
  const kept = keptPlaces(before, after);
  const stay = new Set(kept.values());
  const drop = [...before.keys()].filter((place) => !stay.has(place));
  const set = [...after.entries()].filter(([place]) => !kept.has(place));
  return filled({ drop, set });
}

function keptPlaces(before, after) {
  const waiting = new Map();
  before.forEach((item, place) => {
    const text = textOf(item);
    waiting.set(text, [...(waiting.get(text) ?? []), place]);
  });
  const pairs = [];
  after.forEach((item, place) => {
    const old = waiting.get(textOf(item))?.shift();
    if (old !== undefined) pairs.push([place, old]);
  });
  const [ends, last, earlier] = [[], [], []];
  pairs.forEach(([, old], index) => {
    let length = ends.findIndex((end) => end >= old);
    if (length < 0) length = ends.length;
    ends[length] = old;
    last[length] = index;
    earlier.push(length ? last[length - 1] : -1);
  });
  const found = new Map();
  for (let index = last.at(-1) ?? -1; index >= 0; index = earlier[index]) found.set(...pairs[index]);
  return found;
}
