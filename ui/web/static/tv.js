// The second screen: draws each scene that the box sends, and animates it by the box's clock. It only looks.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const SILENT_MS = 12000; // the box sends something every 4 s
const RECONNECT_MS = 1500;
const SYNC_SAMPLES = 5, SYNC_INTERVAL_MS = 30000;
const PHOTO_FINISH_MS = 1300;
const SLIDE_MS = 9000, SLIDES_AGE_MS = 60000;

const main = document.querySelector("#scene");
const offline = document.querySelector("#offline");
let stream = null;
let heardMs = 0; // when the stream was last heard
let offsetMs = null; // the box's clock minus performance.now()
let message = null; // what is shown
let animate = null; // draws the scene as it is at a time of the box's clock
let slides = { at: -Infinity, list: [], next: 0 };
window.tvLog = []; // the last changes, for measurements: [number, kind, shown at, drawn at], both by the box's clock

// The connection. A full state comes first each time, so that it takes up again by itself.

function connect() {
  stream?.close();
  heardMs = performance.now();
  stream = new EventSource("/watch/events");
  stream.onmessage = (event) => heard(() => receive(JSON.parse(event.data)));
  stream.addEventListener("beat", () => heard());
  stream.addEventListener("full", () => stream.close());
  stream.onerror = () => {
    if (performance.now() - heardMs > 2 * RECONNECT_MS) checkSession();
  };
}

function heard(then) {
  heardMs = performance.now();
  offline.hidden = true;
  then?.();
}

// Say why nothing comes: the box is gone, or the session is over. Otherwise the next message is on its way.
async function checkSession() {
  try {
    const response = await fetch("/watch/clock", { cache: "no-store" });
    if (response.redirected) report(offline.dataset.ended);
  } catch {
    report(offline.dataset.offline);
  }
}

function report(text) {
  offline.textContent = text;
  offline.hidden = false;
}

setInterval(() => {
  const silentMs = performance.now() - heardMs;
  if (silentMs > SILENT_MS || (stream.readyState === EventSource.CLOSED && silentMs > RECONNECT_MS)) {
    checkSession();
    connect();
  }
}, RECONNECT_MS);

// The box's clock: its time in the middle of the quickest of several questions.

async function synchronise() {
  let best = null;
  for (let sample = 0; sample < SYNC_SAMPLES; sample++) {
    try {
      const asked = performance.now();
      const response = await fetch("/watch/clock", { cache: "no-store" });
      const answer = await response.json();
      const tookMs = performance.now() - asked;
      if (best === null || tookMs < best.tookMs) best = { tookMs, offset: answer.now_ms - asked - tookMs / 2 };
    } catch {
      break; // the stream says that the box can't be reached
    }
  }
  if (best !== null) offsetMs = best.offset;
}

function boxMs() {
  return performance.now() + (offsetMs ?? 0);
}

// Parts of scenes

function make(tag, css = "", ...children) {
  const element = document.createElement(tag);
  if (css) element.className = css;
  element.append(...children);
  return element;
}

function drawing(viewBox, css, ...children) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("class", css);
  svg.append(...children);
  return svg;
}

function shape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function icon(name) {
  const svg = drawing("0 0 100 100", "sign", shape("use", { href: `#${name}` }));
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

const SHAPES = [...document.querySelectorAll("symbol[id^=shape-]")].map((one) => one.id);

function mark(seat) {
  const place = (seat - 1) % SHAPES.length;
  const number = shape("text", { class: "number", "text-anchor": "middle", y: 4.4, "font-size": 12 }, String(seat));
  return drawing(
    "-12 -12 24 24",
    `mark seat-${place + 1}`,
    shape("use", { class: "shape", href: `#${SHAPES[place]}`, x: -11, y: -11, width: 22, height: 22 }),
    number,
  );
}

function sentence(...lines) {
  return make("p", "sentence", ...lines.flatMap((line, index) => (index ? [make("br"), line] : [line])));
}

function factRow(facts) {
  return make("div", "facts", ...facts.map((fact) => make("span", "", fact)));
}

function people(players, without = () => false) {
  const rows = players.map((player) => {
    const row = make("li", without(player) ? "out" : "", mark(player.seat), make("span", "name", player.name));
    row.append(make("span", "score", player.score));
    if (player.state) row.append(make("span", "answer", player.state));
    return row;
  });
  return make("ul", "people", ...rows);
}

function throwLabel(one) {
  return make("span", "throw", icon(one.icon), make("i", "", one.word));
}

function places(players) {
  const rows = players.map((player) => {
    const lead = make("span", "lead");
    if (player.place) lead.append(`${player.place}.`);
    if (player.won) lead.append(icon("crown"));
    lead.append(mark(player.seat));
    const row = make("li", player.won ? "won" : "", lead, make("span", "name", player.name));
    row.append(make("span", "score", player.score));
    if (player.facts.length) row.append(make("span", "more-facts", player.facts.join(" · ")));
    return row;
  });
  const list = make("ul", rows.length > 4 ? "places two" : "places", ...rows);
  list.dataset.rows = Math.ceil(rows.length / 2);
  return list;
}

function seatCards(seats, images) {
  const cards = seats.map((seat, index) => {
    const header = make("header", "", mark(seat.player.seat), make("span", "name", seat.player.name));
    if (seat.won) header.append(icon("crown"));
    else if (seats.length > 4 && seat.kind === "good") header.append(icon("good"));
    const footer = make("footer");
    footer.append(make("span", seat.throws.length > 1 ? "throws two" : "throws", ...seat.throws.map(throwLabel)));
    const sign = { good: "good", foul: "foul", doubt: "doubt" }[seat.kind];
    footer.append(make("span", `verdict ${seat.kind}`, icon(sign), make("i", "", ` ${seat.verdict}`)));
    if (seat.time) footer.append(make("span", "time", seat.time));
    return make("li", `seat${seat.won ? " won" : ""}${seat.kind === "foul" ? " foul" : ""}`, header, images(seat, index), footer);
  });
  return seatList(cards);
}

function seatList(cards) {
  const list = make("ul", cards.length > 4 ? "seats many" : "seats", ...cards);
  list.dataset.count = cards.length;
  return list;
}

// The time from the first hand to the lock. Marks are there once their time has come.
function timeLine(seats, windowMs, label) {
  const times = seats.map((seat) => seat.after_first_ms).filter((at) => at !== null);
  const low = Math.min(0, ...times), high = Math.max(windowMs * 1.15, ...times) + 1;
  const place = (at) => `${(100 * (at - low)) / (high - low)}%`;
  const put = (element, at) => ((element.style.left = place(at)), element);
  const line = make("div", "line", make("i", "axis"), put(make("i", "lock"), windowMs));
  line.append(put(make("span", "label", icon("frame"), ` ${label}`), windowMs));
  const marks = [];
  const taken = [];
  for (const seat of [...seats].sort((one, other) => one.after_first_ms - other.after_first_ms)) {
    if (seat.after_first_ms === null) continue;
    const at = put(make("span", "at", mark(seat.player.seat)), seat.after_first_ms);
    const share = (seat.after_first_ms - low) / (high - low);
    marks.push([seat.after_first_ms, at]);
    line.append(at);
    if (taken.every((other) => Math.abs(other - share) > 0.14)) {
      taken.push(share);
      const text = put(make("span", "ms", seat.time), seat.after_first_ms);
      marks.push([seat.after_first_ms, text]);
      line.append(text);
    }
  }
  const now = put(make("i", "now"), low);
  line.append(now);
  const show = (ms) => {
    put(now, Math.max(low, Math.min(high, ms)));
    for (const [at, element] of marks) element.classList.toggle("there", ms >= at);
  };
  return { line, show, low, high, finish: () => (show(Infinity), (now.hidden = true)) };
}

// Scenes: each fills the page and returns what animates it, given ms since it was shown, until that returns false.

const SCENES = {
  count(scene) {
    const text = make("b");
    const word = make("div", "word", text);
    const beats = make("div", "beats", ...scene.words.map(() => make("i")));
    const sits = (player) => scene.throwing.length > 0 && !scene.throwing.includes(player.seat);
    show("count", make("p", "title", scene.title), scene.note ? make("p", "again", scene.note) : factRow(scene.facts), word, beats, people(scene.players, sits));
    let shown = null;
    return () => {
      const now = boxMs();
      const beat = scene.words_at_ms.filter((at) => now >= at).length - 1;
      if (beat !== shown) {
        shown = beat;
        text.textContent = beat < 0 ? "" : scene.words[beat];
        word.classList.toggle("shoot", beat === scene.words.length - 1);
        [...beats.children].forEach((one, index) => one.classList.toggle("past", index <= beat));
        if (beat >= 0) note(`word ${beat}`, scene.words_at_ms[beat]);
      }
      word.classList.toggle("hit", beat >= 0 && now - scene.words_at_ms[beat] < 120);
      return true;
    };
  },

  judging(scene) {
    show("wait", sentence(scene.text), people(scene.players));
  },

  choosing(scene) {
    show("wait", sentence(scene.text), people(scene.players));
  },

  reveal(scene, folder) {
    const finish = reveal("reveal", scene, folder);
    return (ms) => {
      const share = Math.min(1, ms / PHOTO_FINISH_MS);
      finish.show(finish.low + share * (finish.high - finish.low));
      if (share === 1) finish.finish();
      return share < 1;
    };
  },

  "slow motion"(scene, folder) {
    const canvases = [];
    const cards = scene.seats.map((seat) => {
      const canvas = make("canvas");
      canvas.width = canvas.height = 2;
      const frames = scene.frames.find((one) => one.seat === seat.player.seat);
      canvases.push([canvas, load(frames.images, folder)]);
      return make("li", "seat", make("header", "", mark(seat.player.seat), make("span", "name", seat.player.name)), make("div", "images", canvas), make("footer", "", throwLabel({ icon: "nothing", word: "" })));
    });
    const list = seatList(cards);
    const finish = timeLine(scene.seats, scene.window_ms, scene.lock_label);
    show("slow", make("p", "title", scene.title), list, finish.line);
    cards.forEach((card) => card.querySelector("footer").replaceChildren());
    const drawn = canvases.map(() => null);
    const told = cards.map(() => null);
    return (ms) => {
      const moment = momentAt(scene.course, ms);
      const frame = nearest(scene.frame_times_ms, moment);
      canvases.forEach(([canvas, images], index) => {
        const image = closestLoaded(images, frame);
        if (image === null || image === drawn[index]) return;
        drawn[index] = image;
        if (canvas.width !== image.naturalWidth) [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        canvas.getContext("2d").drawImage(image, 0, 0);
      });
      scene.seats.forEach((seat, index) => {
        const there = seat.after_first_ms !== null && moment >= seat.after_first_ms;
        const foul = there && seat.kind === "foul" && moment >= scene.window_ms;
        const tell = `${there}${foul}`;
        if (tell === told[index]) return;
        told[index] = tell;
        const parts = there ? [make("span", "throws", ...seat.throws.slice(-1).map(throwLabel))] : [];
        if (foul) parts.push(make("span", "verdict foul", icon("foul"), ` ${seat.verdict}`));
        else if (there) parts.push(make("span", "time", seat.time));
        cards[index].querySelector("footer").replaceChildren(...parts);
        cards[index].classList.toggle("foul", foul);
      });
      finish.show(moment);
      return ms < scene.course.at(-1)[0] + 200 || drawn.includes(null);
    };
  },

  scores(scene) {
    const parts = [sentence(...scene.sentences)];
    if (scene.board.length) return show("scores has-board", ...parts, board(scene.board), places(scene.players));
    parts.push(factRow(scene.facts));
    if (scene.figures.length) parts.push(figures(scene));
    else parts.push(places(scene.players));
    show("scores", ...parts, make("p", "more", scene.more));
  },

  showdown(scene) {
    const cards = scene.cards.map((card) => {
      const face = make("div", "card", ...(card.is_turned ? [icon(card.card.icon), make("i", "", card.card.word)] : [icon("card-back")]));
      const claim = make("p", "claim", ...(card.claim ? [icon("bubble"), make("span", "", ` ${card.label}: `), throwLabel(card.claim)] : []));
      const end = [card.bluff, card.won, card.player.score].filter(Boolean).join(" · ");
      const name = make("p", "name", mark(card.player.seat), ` ${card.player.name}`, ...(card.player.won ? [" ", icon("crown")] : []));
      return make("li", card.player.won ? "won" : "", name, claim, face, make("p", "", end));
    });
    show("showdown", sentence(scene.sentence), make("ul", cards.length > 4 ? "laid many" : "laid", ...cards));
  },

  result(scene) {
    show("result", sentence(scene.sentence), places(scene.players), make("p", "more", scene.more));
  },

  idle(scene) {
    let due = -Infinity;
    let busy = false;
    const showText = () => show("idle", make("div", "", make("p", "signs", icon("rock"), icon("paper"), icon("scissors")), make("p", "name", scene.title), make("p", "", scene.text)));
    showText();
    return () => {
      const now = performance.now();
      if (now >= due && !busy) {
        due = now + SLIDE_MS;
        busy = true;
        const current = message;
        nextSlide().then((slide) => {
          busy = false;
          if (message !== current) return;
          if (slide === null) showText();
          else if (slide.kind === "tournament") tournament(slide);
          else reveal("slide", slide.reveal, slide.folder, slide.why).finish();
        });
      }
      return true;
    };
  },
};

function show(css, ...children) {
  document.body.className = `tv ${css}`;
  main.replaceChildren(...children);
  fit();
}

// Texts get smaller, down to the smallest that can be read from 4 m, until everything is on the page.
function fit() {
  const texts = [...main.querySelectorAll(".sentence, .places > li, .bracket, .seat > footer, .laid > li")];
  for (const element of texts) element.style.fontSize = "";
  const smallest = 0.04 * Math.min(innerHeight, 0.62 * innerWidth);
  const sizes = texts.map((element) => parseFloat(getComputedStyle(element).fontSize));
  for (let scale = 0.95; scale >= 0.4 && overflows(); scale -= 0.05) {
    texts.forEach((element, index) => (element.style.fontSize = `${Math.max(smallest, sizes[index] * scale)}px`));
  }
}

function overflows() {
  return main.scrollHeight > main.clientHeight + 1 || [...main.children].some((one) => one.scrollHeight > one.clientHeight + 2);
}

function reveal(css, scene, folder, why = "") {
  const images = (seat) => {
    const names = [seat.image, seat.proof].filter(Boolean);
    return make("div", "images", ...names.map((name) => Object.assign(make("img"), { src: `${folder}/${name}`, alt: "" })));
  };
  const finish = timeLine(scene.seats, scene.window_ms, scene.lock_label);
  const head = why ? [make("p", "why", why)] : [];
  show(css, ...head, sentence(scene.sentence), seatCards(scene.seats, images), finish.line);
  return finish;
}

function load(names, folder) {
  return names.map((name) => Object.assign(new Image(), { src: `${folder}/${name}` }));
}

function closestLoaded(images, wanted) {
  for (let away = 0; away < images.length; away++) {
    for (const index of [wanted - away, wanted + away]) {
      if (images[index]?.complete && images[index].naturalWidth) return images[index];
    }
  }
  return null;
}

function momentAt(course, ms) {
  for (let index = 1; index < course.length; index++) {
    const [since, from] = course[index - 1], [until, to] = course[index];
    if (ms <= until) return until > since ? from + ((to - from) * Math.max(0, ms - since)) / (until - since) : to;
  }
  return course.at(-1)[1];
}

function nearest(times, wanted) {
  let best = 0;
  times.forEach((at, index) => {
    if (Math.abs(at - wanted) < Math.abs(times[best] - wanted)) best = index;
  });
  return best;
}

function figures(scene) {
  const table = make("table", "figures", make("tr", "", ...scene.figure_labels.map((label) => make("th", "", label))));
  for (const row of scene.figures) {
    const cells = [row.count, row.won, row.tied, row.lost].map((count) => make("td", "", String(count)));
    table.append(make("tr", "", make("th", "", icon(row.throw.icon), ` ${row.throw.word}`), ...cells));
  }
  return table;
}

function board(spaces) {
  const xs = spaces.map((one) => one.x), ys = spaces.map((one) => one.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const svg = drawing(`${left - 0.7} ${top - 0.7} ${right - left + 1.4} ${bottom - top + 1.4}`, "board-drawing");
  for (const space of spaces) {
    svg.append(shape("rect", { class: `space${space.is_last ? " last" : ""}`, x: space.x - 0.48, y: space.y - 0.45, width: 0.96, height: 0.9, rx: 0.24 }));
    if (!space.piece) continue;
    const south = space.piece.side === 0;
    const group = shape("g", { class: south ? "south" : "north" });
    const box = { x: space.x - 0.36, y: space.y - 0.36, width: 0.72, height: 0.72, rx: south ? 0.36 : 0.1 };
    group.append(shape("rect", box));
    if (space.piece.sheets > 1) group.append(shape("text", { x: space.x, y: space.y + 0.14 }, String(space.piece.sheets)));
    else group.append(shape("use", { href: `#${space.piece.icon}`, x: space.x - 0.25, y: space.y - 0.25, width: 0.5, height: 0.5 }));
    svg.append(group);
  }
  return svg;
}

function tournament(slide) {
  const rounds = slide.rounds.map((round) => {
    const rows = round.fixtures.map((one) => make("li", "", one.players, make("b", "", one.result)));
    return make("section", "", make("h2", "", round.title), make("ul", "", ...rows));
  });
  const tables = slide.tables.map((table) => {
    const rows = table.rows.map((cells) => make("tr", "", ...cells.map((cell) => make("td", "", cell))));
    return make("section", "", make("h2", "", table.heading), make("table", "", ...rows));
  });
  show("tournament", sentence(slide.champions || slide.title), make("div", "bracket", ...rounds, ...tables));
}

async function nextSlide() {
  if (performance.now() - slides.at > SLIDES_AGE_MS) {
    try {
      const response = await fetch("/watch/slides", { cache: "no-store" });
      if (!response.ok || response.redirected) return null;
      slides = { at: performance.now(), list: (await response.json()).slides, next: 0 };
    } catch {
      return null;
    }
  }
  return slides.list.length ? slides.list[slides.next++ % slides.list.length] : null;
}

function note(kind, shownAtMs) {
  window.tvLog.push([message.number, kind, shownAtMs, boxMs()]);
  if (window.tvLog.length > 500) window.tvLog.shift();
}

function receive(next) {
  const before = message;
  message = next;
  document.documentElement.lang = next.language;
  if (next.scene.kind !== "idle") slides.at = -Infinity;
  if (before?.scene.kind === "idle" && next.scene.kind === "idle") return;
  animate = SCENES[next.scene.kind](next.scene, next.folder) ?? null;
  note(next.scene.kind, next.shown_at_ms);
  step();
}

function step() {
  if (animate !== null && animate(boxMs() - message.shown_at_ms) === false) animate = null;
}

function loop() {
  step();
  requestAnimationFrame(loop);
}

document.addEventListener("click", () => document.documentElement.requestFullscreen?.().catch(() => {}));
addEventListener("resize", fit);
setInterval(synchronise, SYNC_INTERVAL_MS);
synchronise().then(connect);
requestAnimationFrame(loop);
