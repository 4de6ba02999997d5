// The frame of every page, and which page an address names.
import { takeKey, useAnswer, useLost } from "./api.js";
import { html, render, useEffect, useErrorBoundary, useState } from "./html.js";
import { Bars, Wrong, styled } from "./parts.js";
import { Theme, dress } from "./theme.js";

// A page fetches what it needs when it is opened: its module, and the styles that only some pages have.
const PAGES = [
  ["/", () => import("./runs.js"), "tables"],
  ["/run/NAME/?", () => import("./run.js"), "tables", "charts"],
  ["/run/NAME/matches", () => import("./matches.js"), "tables"],
  ["/run/NAME/match/([0-9a-f]{16})", () => import("./match.js"), "match"],
  ["/run/NAME/report", () => import("./report.js"), "tables", "charts"],
  ["/annotate/NAME", () => import("./annotate.js"), "tables", "scales", "annotate"],
  ["/compare", () => import("./compare.js"), "tables", "charts"],
  ["/plugins", () => import("./plugins.js"), "tables"],
  ["/new/benchmark", () => import("./new_benchmark.js"), "touches", "forms", "new"],
  ["/new/match", () => import("./new_match.js"), "touches", "forms", "new_match"],
];

function Unknown() {
  return html`<div><h1>No page here</h1><${Wrong} error=${{ what: `there is no page ${location.pathname}`, where: "", remedy: "Runs, Compare and Plugins stand at the top; a run's pages are reached from its row." }} /></div>`;
}

/** The page of this address, once its module is there, and the names in the address. */
function usePage() {
  const [found, set] = useState({ Page: null, names: [], isWide: false });
  useEffect(() => {
    for (const [pattern, load, ...styles] of PAGES) {
      const names = new RegExp(`^${pattern.replace("NAME", "([A-Za-z0-9._-]+)")}$`).exec(location.pathname)?.slice(1);
      if (names) {
        Promise.all([load(), ...styles.map(styled)]).then(([module]) => set({ Page: module.default, names, isWide: names.length > 1 }));
        return;
      }
    }
    set({ Page: Unknown, names: [], isWide: false });
  }, []);
  return found;
}

function Reached({ me }) {
  const isLost = useLost();
  if (isLost) return html`<span class="reached lost" role="alert">connection lost, trying again</span>`;
  if (!me) return null;
  return html`<span class="reached soft small">${me.read_only ? "read only" : me.right === "host" ? "this machine" : String(me.right)} · arena ${me.version}</span>`;
}

/** A page; where it fails at something that it was sent, it says so, and the frame still works. */
function Guarded({ Page, names, me }) {
  const [error, again] = useErrorBoundary();
  if (error) return html`<div><h1>Not shown</h1><${Wrong} error=${{ what: "this page cannot show what the server sent", where: String(error.message), remedy: "load it again; if it stays so, `arena report` and `arena replay` show the same" }} again=${again} /></div>`;
  return html`<${Page} names=${names} me=${me} />`;
}

function App() {
  useEffect(() => {
    const arrive = () => takeKey() && location.reload();
    addEventListener("hashchange", arrive);
    return () => removeEventListener("hashchange", arrive);
  }, []);
  const me = useAnswer("/me");
  const { Page, names, isWide } = usePage();
  const link = (href, text) => html`<a href=${href} aria-current=${location.pathname === href ? "page" : null}>${text}</a>`;
  const isClosed = me.error?.status === 401;
  return html`<div>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="bar"><a class="home" href="/">arena</a><nav aria-label="Pages">${link("/", "Runs")}${link("/compare", "Compare")}${link("/plugins", "Plugins")}</nav><${Reached} me=${me.data} /><${Theme} /></header>
    <main id="content" tabindex="-1" class=${isWide ? "wide" : ""}>${isClosed ? html`<h1>Not open</h1><${Wrong} error=${me.error} />` : Page ? html`<${Guarded} Page=${Page} names=${names} me=${me.data} />` : html`<div><h1 class="unseen">Loading</h1><${Bars} rows=${6} label="loading the page" /></div>`}</main>
    <footer class="soft small">These pages come from this machine, and from nowhere else.</footer>
    <div class="unseen" aria-live="polite" id="said"></div>
    <div class="unseen" role="alert" id="said-at-once"></div></div>`;
}

takeKey();
dress();
render(html`<${App} />`, document.body);
