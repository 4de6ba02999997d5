// Boards to step through. The renderer stands above this in the same script; without scripts the words are there.
const sceneSeries = (match) => {
  const words = [...match.querySelectorAll(".positions pre")].map((own) => own.textContent);
  let scene = null;
  return JSON.parse(match.querySelector("script").textContent).map(([step, frame], place) => {
    scene = scene ? patch(scene, frame) : frame;
    return { step, scene: { ...scene, alternative: words[place] } };
  });
};

class Stepper {
  constructor(match, place) {
    this.match = match;
    this.series = sceneSeries(match);
    this.view = new SceneView();
    this.slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: this.series.length - 1, value: 0 });
    this.slider.setAttribute("aria-label", "position");
    this.said = document.createElement("output");
    const buttons = [["First", () => 0], ["Back", (at) => at - 1], ["Play", null], ["Forward", (at) => at + 1], ["Last", () => Infinity]];
    const bar = document.createElement("div");
    bar.className = "steps";
    for (const [name, to] of buttons) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
      button.addEventListener("click", () => (to ? this.go(to(this.at)) : this.play()));
      if (!to) this.player = button;
      bar.append(button);
    }
    bar.append(this.slider, this.said);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    bar.addEventListener("keydown", (event) => this.key(event));
    place.append(this.view.element, bar);
    place.hidden = false;
    this.go(0);
  }
  go(place) {
    const last = this.series.length - 1;
    this.at = Math.min(Math.max(place, 0), last);
    const { step, scene } = this.series[this.at];
    this.view.show(scene);
    this.slider.value = this.at;
    this.said.textContent = `${this.at + 1} of ${last + 1}${this.at === last ? ", the last" : `, before step ${step}`}`;
    this.slider.setAttribute("aria-valuetext", this.said.textContent);
    for (const move of this.match.querySelectorAll(".moves > li")) move.classList.toggle("current", this.at > 0 && Number(move.dataset.step) === this.series[this.at - 1].step);
    if (this.at === last) this.stop();
  }
  play() {
    if (this.timer) return this.stop();
    if (this.at === this.series.length - 1) this.go(0);
    this.player.textContent = "Pause";
    this.timer = setInterval(() => this.go(this.at + 1), 900);
  }
  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.player.textContent = "Play";
  }
  key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }
}

for (const place of document.querySelectorAll(".stepper")) {
  const match = place.closest("details.match");
  const begin = () => match.open && !place.firstChild && new Stepper(match, place);
  match.addEventListener("toggle", begin);
  begin();
}
