// What comes of a plan: its mistakes, and the buttons of what is done with it.
import { ask } from "./api.js";
import { Typed } from "./field.js";
import { html, many, useState } from "./html.js";
import { Later, Panel, Wrong, say } from "./parts.js";

const shownBy = (name) => () => import("./new_shown.js").then((module) => ({ default: module[name] }));

export function Starting({ own }) {
  const { draft, change, wrong, wrongAt, check } = own;
  const [busy, setBusy] = useState("");
  const [state, set] = useState({ what: "" });
  /** Do something with the benchmark, if the plan has no mistakes. */
  const press = (what, act) => async () => {
    setBusy(what);
    set({ what: "" });
    try {
      const found = await check(true);
      if (found.isRight) set(await act(found));
    } catch (error) {
      const names = (error.secrets ?? []).map(String);
      if (names.length) own.haveKeys((old) => old.filter((each) => !names.includes(each)));
      set(names.length ? { what: "secrets", names, error } : { what: "wrong", error });
    } finally {
      setBusy("");
    }
  };
  const estimate = press("estimate", async ({ benchmark }) => ({ what: "estimate", found: await ask("/new/estimate", { body: { benchmark } }) }));
  const file = press("file", async ({ text }) => ({ what: "file", text: String(text) }));
  const start = press("start", async ({ benchmark }) => {
    const { run } = await ask("/new/start", { body: { benchmark, ...(draft.name.trim() ? { name: draft.name.trim() } : {}) } });
    say("The run has begun.");
    location.assign(`/run/${encodeURIComponent(run)}`);
    return { what: "" };
  });
  const button = (name, text, act, isMain = false) => html`<button type="button" class=${isMain ? "main" : ""} disabled=${Boolean(busy) || null} onClick=${act}>${text}</button>`;
  return html`<${Panel} title="Run"><div class="row">
      <${Typed} label="Name" hint="letters, digits, . _ and -; blank: after the first game" value=${draft.name} wrong=${wrongAt("/name")} put=${(next) => change(["name"], next)} />
      <${Typed} label="Seed" hint="the same seed, the same deals" inputmode="numeric" value=${draft.seed} wrong=${wrongAt("/seed")} put=${(next) => change(["seed"], next)} /></div>
    ${wrong.length > 0 && html`<div class="wrong mistakes" tabindex="-1"><p><b>${many(wrong.length, "mistake")}</b> to mend before it can be played:</p><ul>${wrong.map(({ path, what }, place) => html`<li key=${place}>${what} <span class="soft small">(${wordsOf(path)})</span></li>`)}</ul></div>`}
    <div class="controls">${button("estimate", "Estimate", estimate)}${button("file", "The file", file)}${button("start", "Start", start, true)}${busy && html`<span class="soft small" role="status">a moment …</span>`}</div>
    ${state.what === "wrong" && html`<${Wrong} error=${state.error} />`}
    ${state.what === "estimate" && html`<${Later} load=${shownBy("Estimated")} found=${state.found} />`}
    ${state.what === "file" && html`<${Later} load=${shownBy("File")} text=${state.text} name=${draft.name.trim()} />`}
    ${state.what === "secrets" && html`<${Later} load=${() => import("./ask_keys.js")} names=${state.names} error=${state.error} close=${() => set({ what: "" })} done=${(names) => (own.haveKeys((old) => [...new Set([...old, ...names])]), start())} />`}<//>`;
}

/** Where a mistake is, in words. */
function wordsOf(path) {
  const [, what, place, part, seat, ...rest] = path.split("/");
  if (what !== "pairings") return path.slice(1).replaceAll("/", ", ").replaceAll("_", " ");
  return [`pair ${Number(place) + 1}`, part === "players" ? `player ${Number(seat) + 1}` : part, ...(part === "players" ? rest : [seat, ...rest]).filter((own) => own && own !== "parameters")].join(", ");
}
