// Positions of a match: fetched by hundreds as differences, drawn by the one renderer of scenes.
import { ask, query } from "./api.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { Bars, Wrong } from "./parts.js";
import { SceneView, patch } from "./scene.js";

const CHUNK = 100;

/** The scenes of frames: the first stands in full, each other is a difference from the one before it. */
export function scenesOf(frames) {
  let scene = null;
  return frames.map((frame) => (scene = scene ? patch(scene, frame) : frame));
}

/** The positions of one match through one pair of eyes; what was fetched is kept. */
class Positions {
  constructor(path, as) {
    Object.assign(this, { path, as, found: new Map(), asked: new Map() });
  }
  /** The position at a place: `scene`, `words` and `problem`. */
  async at(place, signal) {
    if (this.found.has(place)) return this.found.get(place);
    const from = place - (place % CHUNK);
    const answer = await ask(`${this.path}/frames${query({ as: this.as, from, to: from + CHUNK })}`, { signal });
    const scenes = scenesOf(answer.frames);
    const count = Math.max(scenes.length, answer.words.length);
    for (let own = 0; own < count; own++) this.found.set(answer.from + own, { scene: scenes[own] ?? null, words: answer.words[own] ?? "", problem: answer.problem });
    return this.found.get(place) ?? { scene: null, words: "", problem: answer.problem };
  }
}

let source = null; // of the match that is looked at

/** Keep a position that was told as the difference from the one before it. */
export function learn(path, as, { position, frame, words }) {
  const before = source?.path === path && source.as === as ? source.found.get(position - 1) : null;
  if (before?.scene) source.found.set(position, { scene: patch(before.scene, frame), words, problem: null });
}

/** Keep the last position, which was told in full. */
export function learnLast(path, as, { positions, frame }) {
  if (frame && source?.path === path && source.as === as) source.found.set(positions - 1, { scene: frame, words: "", problem: null });
}

/** The position at a place, and what went wrong; the last one stays until the next is there. */
export function usePosition(path, as, place) {
  const [state, set] = useState({ position: null, error: null });
  if (source?.path !== path || source.as !== as) source = new Positions(path, as);
  const shown = source;
  const ready = place >= 0 ? source.found.get(place) : null;
  useEffect(() => {
    if (place < 0 || ready) return undefined;
    const stop = new AbortController();
    shown.at(place, stop.signal).then(
      (position) => set({ position, error: null, source: shown, place }),
      (error) => error.name !== "AbortError" && set({ position: null, error, source: shown, place }),
    );
    return () => stop.abort();
  }, [shown, place, Boolean(ready)]);
  if (ready) return { position: ready, error: null };
  const own = state.source === shown;
  return { position: own ? state.position : null, error: own && state.place === place ? state.error : null };
}

/** The place of a scene, in which it is drawn anew when `key` changes. */
export function useDrawn(scene, key) {
  const place = useRef(null);
  const view = useRef(null);
  useLayoutEffect(() => {
    if (!scene) return;
    if (!view.current) {
      view.current = new SceneView();
      place.current.append(view.current.element);
    }
    view.current.show(scene);
  }, [key]);
  return place;
}

/** A position, drawn; in words where there is no picture of it. */
export function Board({ position, error }) {
  const scene = position?.scene ?? null;
  const place = useDrawn(scene, scene);
  return html`<div>
    <div ref=${place} hidden=${!scene}></div>
    ${error && html`<${Wrong} error=${error} />`}
    ${position?.problem && html`<${Wrong} error=${{ what: position.problem.what ?? "", remedy: position.problem.remedy ?? "", where: "" }} />`}
    ${position && !scene && html`<pre class="words" tabindex="0" role="group" aria-label="the position in words" dir="auto">${position.words || "There is no picture of this position."}</pre>`}
    ${!position && !error && html`<div class="board-bars"><${Bars} rows=${5} label="loading the position" /></div>`}</div>`;
}
