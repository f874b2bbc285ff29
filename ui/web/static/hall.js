// A hall's pages, kept up to date: whenever the hub says that something has changed, the page is fetched again, and the
// parts of it that differ are replaced. Every page works without it.
"use strict";

const SILENT_MS = 12000; // the hub sends something every 4 s
const SLIDE_MS = 8000;

const offline = document.querySelector("#offline");
const address = document.body.dataset.live;
let stream = null;
let heardMs = 0;
let isLoading = false, isStale = false, isFull = false;
let shown = null; // the number of what is shown

function connect() {
  stream?.close();
  heardMs = performance.now();
  stream = new EventSource(address);
  stream.onmessage = (event) => {
    heard();
    const { number } = JSON.parse(event.data);
    if (shown !== number) refresh(number);
  };
  stream.addEventListener("beat", heard);
  stream.addEventListener("full", () => {
    isFull = true;
    stream.close();
    report(offline.dataset.full);
  });
}

function heard() {
  heardMs = performance.now();
  offline.hidden = true;
}

function report(text) {
  offline.textContent = text;
  offline.hidden = false;
}

async function refresh(number) {
  if (isLoading) {
    isStale = true;
    return;
  }
  isLoading = true;
  try {
    const response = await fetch(location.href, { cache: "no-store" });
    if (response.redirected) return location.reload(); // the session is over
    if (response.ok) replaceParts(new DOMParser().parseFromString(await response.text(), "text/html"));
    shown = number;
  } catch {
    report(offline.dataset.offline);
  } finally {
    isLoading = false;
    if (isStale) {
      isStale = false;
      refresh(number);
    }
  }
}

function replaceParts(page) {
  const fresh = [...page.querySelectorAll("[data-part]")];
  const names = (parts) => parts.map((one) => one.dataset.part).join();
  const parts = [...document.querySelectorAll("[data-part]")];
  if (names(fresh) !== names(parts)) {
    if (!parts.some(isInUse)) document.querySelector("#content").replaceWith(page.querySelector("#content"));
  } else {
    parts.forEach((part, index) => {
      if (part.outerHTML !== fresh[index].outerHTML && !isInUse(part)) part.replaceWith(fresh[index]);
    });
  }
  document.title = page.title;
  showSlide();
}

// Whether somebody is filling in a form of it.
function isInUse(part) {
  return part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}

// Slides, on a projector.

let slide = 0;

function showSlide() {
  const slides = [...document.querySelectorAll(".slide")];
  slides.forEach((one, index) => one.classList.toggle("on", index === slide % slides.length));
}

if (document.body.classList.contains("screen")) {
  document.body.classList.add("one-slide");
  setInterval(() => {
    slide += 1;
    showSlide();
  }, SLIDE_MS);
  document.addEventListener("click", () => document.documentElement.requestFullscreen?.().catch(() => {}));
}
showSlide();

document.querySelector("form[data-submit]")?.requestSubmit();
if (address) {
  connect();
  setInterval(() => {
    if (isFull || performance.now() - heardMs < SILENT_MS) return;
    report(offline.dataset.offline);
    connect();
  }, 1500);
}
