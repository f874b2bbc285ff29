// Keeps a pad up to date while somebody looks at it. Every form works without it; then the page has to be reloaded.
"use strict";

const SETTLE_MS = 400; // a touch right after the question has changed may be meant for the one before
const pad = document.querySelector("#pad");
let changedMs = 0;
let deadlineMs = null;

document.querySelector("form[data-submit]")?.submit();
if (pad) start();

function start() {
  for (const part of pad.querySelectorAll("[data-part]")) part.dataset.html = part.outerHTML;
  refresh();
  setInterval(refresh, Number(pad.dataset.pollMs));
  setInterval(showClock, 200);
  document.addEventListener("visibilitychange", () => refresh());
  pad.addEventListener("click", handleClick);
  pad.addEventListener("input", showValue);
  showValue();
  showBoard();
}

async function refresh() {
  if (document.hidden) return; // the seat goes back to the touchscreen after a while
  try {
    const response = await fetch(`/pad/part?seen=${pad.dataset.state}`, { cache: "no-store" });
    if (response.redirected || response.status >= 400) return location.reload();
    document.querySelector(".offline").hidden = true;
    const seconds = response.headers.get("Pad-Seconds");
    deadlineMs = seconds === null ? null : performance.now() + Number(seconds) * 1000;
    if (response.status === 200) {
      pad.dataset.state = response.headers.get("Pad-State");
      show(await response.text());
    }
    showClock();
  } catch {
    document.querySelector(".offline").hidden = false;
  }
}

// Replace only the sections that have changed: a number that is being entered stays.
function show(html) {
  const next = new DOMParser().parseFromString(html, "text/html").body;
  const parts = [...next.querySelectorAll("[data-part]")].map((part) => {
    const old = pad.querySelector(`[data-part="${part.dataset.part}"]`);
    if (old && old.dataset.html === part.outerHTML) return old;
    if (part.dataset.part === "question") changedMs = performance.now();
    part.dataset.html = part.outerHTML;
    return document.adoptNode(part);
  });
  pad.replaceChildren(...parts);
  showValue();
  showBoard();
}

function handleClick(event) {
  const button = event.target.closest("button");
  if (button === null) return;
  if (performance.now() - changedMs < SETTLE_MS) return event.preventDefault();
  const number = button.form?.querySelector("input[type=number]");
  if (!number || (button.dataset.step === undefined && button.dataset.set === undefined)) return;
  const wanted = Number(button.dataset.set ?? Number(number.value) + Number(button.dataset.step));
  number.value = Math.max(Number(number.min), Math.min(Number(number.max), wanted));
  showValue();
}

function showValue() {
  const number = pad.querySelector("input[type=number]");
  const shown = pad.querySelector("[data-value]");
  if (number && shown) shown.textContent = number.value;
}

// A board is larger than a phone: begin where the player's pieces are.
function showBoard() {
  const board = pad.querySelector(".board");
  if (board === null || board.dataset.shown) return;
  board.dataset.shown = "yes";
  pad.querySelector("#selected").scrollIntoView({ block: "center", inline: "center" });
}

function showClock() {
  const clock = pad.querySelector("[data-clock]");
  if (clock) clock.textContent = deadlineMs === null ? "" : Math.max(0, Math.ceil((deadlineMs - performance.now()) / 1000));
}
