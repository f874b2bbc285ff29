// A large screen: what moves by the box's clock (data-at: there from then on; data-course: its way), slides, and texts that
// get smaller until they fit. live.js brings what is shown. No newer JavaScript than a television of 2018 has.
"use strict";

(function () {
  const SYNC_SAMPLES = 5, SYNC_INTERVAL_MS = 30000;
  const SLIDE_MS = 9000;
  const main = document.querySelector("main");
  let offsetMs = 0; // the box's clock minus performance.now()
  let waiting = []; // the elements whose time has not come
  let slide = 0;
  window.tvLog = []; // the last changes, for measurements: [number, what, shown at, drawn at], both by the box's clock

  // The box's clock: its time in the middle of the quickest of several questions.
  async function synchronise() {
    let bestMs = Infinity;
    for (let sample = 0; sample < SYNC_SAMPLES; sample++) {
      const askedMs = performance.now();
      const response = await fetch(main.dataset.clock, { cache: "no-store" });
      const answer = await response.json();
      const tookMs = performance.now() - askedMs;
      if (tookMs < bestMs) offsetMs = answer.now_ms - askedMs - tookMs / 2;
      bestMs = Math.min(bestMs, tookMs);
    }
  }

  function boxMs() {
    return performance.now() + offsetMs;
  }

  function note(what, shownMs) {
    window.tvLog.push([Number(main.firstElementChild.dataset.number), what, shownMs, boxMs()]);
    window.tvLog.splice(0, window.tvLog.length - 500);
  }

  function begin() {
    const scene = main.firstElementChild;
    waiting = Array.from(main.querySelectorAll("[data-at]"));
    if (main.dataset.clock) note(scene.dataset.kind, Number(scene.dataset.shown));
    step();
    for (const element of main.querySelectorAll("[data-course]")) move(element, boxMs() - scene.dataset.shown);
    showSlide();
  }

  // Let an element go its way, which began some time ago.
  function move(element, passedMs) {
    const course = element.dataset.course.split(" ").map(Number);
    const lengthMs = course[course.length - 2];
    const frames = [];
    for (let at = 0; at < course.length; at += 2) {
      frames.push({ offset: course[at] / lengthMs, transform: `translateX(${course[at + 1]}px)` });
    }
    if (element.animate) element.animate(frames, { duration: lengthMs }).currentTime = passedMs;
  }

  function step() {
    const now = boxMs();
    waiting = waiting.filter((element) => {
      if (now < element.dataset.at) return true;
      element.classList.add("there");
      if (element.dataset.note) note(element.dataset.note, Number(element.dataset.at));
      return false;
    });
  }

  function loop() {
    if (waiting.length) step();
    requestAnimationFrame(loop);
  }

  function showSlide() {
    const slides = main.querySelectorAll(".rotates");
    slides.forEach((shown, index) => shown.classList.toggle("on", index === slide % slides.length));
    fit();
  }

  // Texts get smaller, down to the smallest that can be read from 4 m, until everything is on the page; or else the
  // guessers, whom a round is not about, are left out, and then the longest facts about the table.
  function fit() {
    const scene = main.querySelector(".scene.on") || main.querySelector(".scene");
    if (scene === null) return;
    const extras = Array.from(scene.querySelectorAll(".guessers, .facts > span"));
    for (const extra of extras) extra.hidden = false;
    extras.sort((a, b) => b.matches(".guessers") - a.matches(".guessers") || b.offsetWidth - a.offsetWidth);
    shrink(scene);
    for (const extra of extras) {
      if (!overflows(scene)) return;
      extra.hidden = true;
      shrink(scene);
    }
  }

  function shrink(scene) {
    const texts = Array.from(scene.querySelectorAll(".sentence, .places > li, .people > li, .bracket, .seat > header, .seat > footer, .laid > li, .podium > li"));
    for (const element of texts) element.style.fontSize = "";
    const smallest = smallestSize();
    const sizes = texts.map((element) => parseFloat(getComputedStyle(element).fontSize));
    fitNames(scene);
    for (let scale = 0.95; scale >= 0.4 && overflows(scene); scale -= 0.05) {
      texts.forEach((element, index) => (element.style.fontSize = `${Math.max(smallest, sizes[index] * scale)}px`));
      fitNames(scene);
    }
  }

  // A name that has no room gets smaller by itself: until no word of it is broken, but not too small to be read from 4 m;
  // or with broken words, and smaller than everything else, until nothing of it is cut.
  function fitNames(scene) {
    for (const name of scene.querySelectorAll(".name")) {
      name.style.fontSize = "";
      const size = parseFloat(getComputedStyle(name).fontSize);
      for (const [wrap, smallest] of [["normal", smallestSize() / size], ["", 0.4]]) {
        name.style.overflowWrap = wrap;
        name.style.fontSize = "";
        for (let scale = 0.95; scale >= smallest && isCut(name); scale -= 0.05) name.style.fontSize = `${size * scale}px`;
        if (!isCut(name)) break;
      }
    }
  }

  function smallestSize() {
    return 0.04 * Math.min(innerHeight, 0.62 * innerWidth);
  }

  function isCut(name) {
    const slack = 0.5 * parseFloat(getComputedStyle(name).fontSize); // only the strokes of some fonts are higher
    return name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + slack;
  }

  function overflows(scene) {
    // A line of text is as high as it needs; only the strokes of some fonts are higher.
    const parts = Array.from(scene.querySelectorAll("div, ul, li"));
    return scene.scrollHeight > scene.clientHeight + 1 || parts.some((part) => part.scrollHeight > part.clientHeight + 2);
  }

  document.documentElement.classList.add("moves");
  main.addEventListener("part", begin);
  addEventListener("resize", fit);
  document.addEventListener("click", () => {
    if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(() => {});
  });
  setInterval(() => {
    slide += 1;
    showSlide();
  }, SLIDE_MS);
  requestAnimationFrame(loop);
  if (!main.dataset.clock) return begin();
  setInterval(() => synchronise().catch(() => {}), SYNC_INTERVAL_MS);
  synchronise().then(begin, begin);
})();
