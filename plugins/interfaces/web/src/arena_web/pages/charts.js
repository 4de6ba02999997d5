// Charts of scores with their intervals.
import { html } from "./html.js";
import { Cell, bounds, isEstimate, parts, told } from "./numbers.js";
import { Empty } from "./parts.js";

const LINES = { random: "random play", optimal: "optimal play" };

/** Scores with their intervals, and lines where random and optimal play would be. */
export function Chart({ chart }) {
  const own = chart.rows.filter((row) => row.role === "agent" || row.estimate?.n !== undefined);
  const lines = chart.rows.filter((row) => row.role in LINES && Number.isFinite(row.estimate?.value));
  const all = chart.rows.flatMap((row) => [row.estimate?.value, ...bounds(row.estimate ?? {})]).filter(Number.isFinite);
  if (!all.length) return html`<${Empty} text="No score can be drawn yet." />`;
  const [least, greatest] = [chart.least ?? Math.min(0, ...all), chart.greatest ?? Math.max(...all)];
  const at = (value) => `${Math.min(100, Math.max(0, (100 * (value - least)) / (greatest - least || 1)))}%`;
  const style = chart.style ?? "number";
  const ends = [least, greatest].map((value) => parts({ value }, style, chart.digits).value);
  return html`<figure class="chart">
    <figcaption>${chart.title}${chart.unit && chart.unit !== "%" && html` <span class="soft">(${chart.unit})</span>`}</figcaption>
    <div class="tracks">
      ${own.map((row) => html`<div class="track-row" key=${row.label}>
        <span class="track-name">${row.label}</span>
        <span class="track" role="img" aria-label=${`${row.label}: ${told(row.estimate, style, chart.digits)}`}>
          ${lines.map((line) => html`<span key=${line.label} class=${`line ${line.role}`} style=${{ left: at(line.estimate.value) }}></span>`)}
          ${Spans({ estimate: row.estimate, at, least, greatest })}
        </span>
        <span class="track-value"><${Cell} cell=${row.estimate} style=${style} digits=${chart.digits} /></span>
      </div>`)}
      <div class="track-row axis" aria-hidden="true"><span></span><span class="ends"><span>${ends[0]}</span><span>${ends[1]}</span></span><span></span></div>
    </div>
    ${lines.length > 0 && html`<p class="keys soft small">${lines.map((line) => html`<span key=${line.label}><span class=${`key ${line.role}`} aria-hidden="true"></span>${line.label === line.role ? LINES[line.role] : line.label}: ${parts(line.estimate, style).value}</span>`)}</p>`}
  </figure>`;
}

function Spans({ estimate, at, least, greatest }) {
  if (!Number.isFinite(estimate?.value)) return null;
  const [low, high] = bounds(estimate);
  const isBounded = low !== null || high !== null;
  const [from, to] = [at(low ?? least), at(high ?? greatest)];
  const open = `span ${low === null ? "open-left" : ""} ${high === null ? "open-right" : ""}`;
  return html`${isBounded && html`<span class=${open} style=${{ left: from, width: `calc(${to} - ${from})` }}></span>`}<span class="point" style=${{ left: at(estimate.value) }}></span>`;
}

/** The chart over all games where it has intervals; else one for each game. */
export function chartsOf({ chart, scores }) {
  const hasInterval = (row) => bounds(row.estimate ?? {}).some((own) => own !== null);
  if (chart?.rows.some(hasInterval) || !scores) return chart?.rows.length ? [chart] : [];
  return scores.columns.slice(1, 13).map((column, place) => ({
    title: column.title, unit: column.help, style: column.style, least: column.style === "share" ? 0 : null, greatest: column.style === "share" ? 1 : null,
    rows: scores.rows.slice(0, 50).map((row) => ({ label: row[0], role: "agent", estimate: row[place + 1] })).filter((row) => isEstimate(row.estimate)),
  }));
}
