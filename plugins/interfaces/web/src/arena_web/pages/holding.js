// What a host does with a run: holds it while it is played, plays it on, makes it larger.
import { mayHold, useDoing } from "./doing.js";
import { html, useRef, useState } from "./html.js";
import { Later, Wrong, isLive } from "./parts.js";

const form = (name) => () => import("./holding_forms.js").then((module) => ({ default: module[name] }));

/** A button that says why it cannot be pressed. */
function Press({ name, text, why = "", title = null, busy, act }) {
  return html`<span class="press"><button type="button" title=${title} disabled=${Boolean(why || busy)} aria-describedby=${why ? `why-${name}` : null} onClick=${act}>${text}</button>${why && html`<span class="soft small" id=${`why-${name}`}>${why}</span>`}</span>`;
}

/** What may be done to a run; what may not says why. */
export function Holding({ run, data, me, again }) {
  const { act, error, busy, forgive } = useDoing(again);
  const [asked, open] = useState("");
  const last = useRef(() => {});
  if (!mayHold(me)) return null;
  const path = (what) => `/run/${run}/${what}`;
  const budgets = Object.entries(data.budgets);
  const press = (what, done) => () => act(path(what), {}, done);
  /** Play on; where a key is missing it is asked for, and then tried again. */
  const play = (what, body, done) => {
    last.current = () => play(what, body, done);
    return act(path(what), body, done).then((isDone) => isDone && open(""));
  };
  const resume = (limits) => play("resume", { limits }, "The run continues.");
  return html`<div class="holding" role="group" aria-label="Hold the run">
    ${isLive(data.state) && html`${data.state === "paused" ? html`<${Press} name="continue" text="Continue" why=${data.no_holding} busy=${busy} act=${press("continue", "The run continues.")} />` : html`<${Press} name="pause" text="Pause" why=${data.no_holding} title="what is being asked is kept; nothing more is asked" busy=${busy} act=${press("pause", "The run is paused.")} />`}
    ${!data.no_holding && html`<${Press} name="stop" text="Stop" title="ends the run cleanly; Resume continues it" busy=${busy} act=${press("stop", "The run stops.")} />`}`}
    ${!isLive(data.state) && html`<${Press} name="resume" text="Resume" title="plays what is left in a process of its own" why=${data.no_resume} busy=${busy} act=${() => (budgets.length ? open("resume") : resume({}))} />`}
    <${Press} name="extend" text="Extend" title="plays each seating more often" why=${data.no_extending} busy=${busy} act=${() => open("extend")} />
    ${busy && busy !== "lost" && html`<span class="soft small" role="status">a moment …</span>`}
    ${asked === "resume" && !data.no_resume && html`<${Later} load=${form("Budgets")} budgets=${budgets} busy=${busy} send=${resume} close=${() => open("")} />`}
    ${asked === "extend" && !data.no_extending && html`<${Later} load=${form("Repeats")} data=${data} busy=${busy} send=${(repeats) => play("extend", { repeats }, "The run is larger and continues.")} close=${() => open("")} />`}
    ${error?.secrets?.length > 0 && html`<${Later} key=${error.secrets.join()} load=${() => import("./ask_keys.js")} names=${error.secrets} error=${error} close=${forgive} done=${() => last.current()} />`}
    ${error && !error.secrets?.length && html`<${Wrong} error=${error} />`}</div>`;
}
