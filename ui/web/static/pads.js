// A phone's pad: numbers are entered by buttons, and a touch that comes too soon is ignored. Every form works without it.
"use strict";

(function () {
  const SETTLE_MS = 400; // a touch right after the question has changed may be meant for the one before
  const pad = document.querySelector("#pad");
  let deadlineMs = null;
  if (pad === null) return;

  function prepare() {
    const clock = pad.querySelector("[data-seconds]");
    deadlineMs = clock === null ? null : performance.now() + 1000 * clock.dataset.seconds;
    showClock();
    showValue();
    showBoard();
  }

  pad.addEventListener("part", (event) => {
    if (event.target.dataset.part === "question") pad.dataset.changedMs = performance.now();
    prepare();
  });

  pad.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button === null) return;
    if (performance.now() - pad.dataset.changedMs < SETTLE_MS) return event.preventDefault();
    const number = button.form && button.form.querySelector("input[type=number]");
    const { step, set } = button.dataset;
    if (!number || (step === undefined && set === undefined)) return;
    const wanted = set === undefined ? Number(number.value) + Number(step) : Number(set);
    number.value = Math.max(Number(number.min), Math.min(Number(number.max), wanted));
    showValue();
  });
  pad.addEventListener("input", showValue);

  function showValue() {
    const number = pad.querySelector("input[type=number]");
    const shown = pad.querySelector("[data-value]");
    if (number && shown) shown.textContent = number.value;
    const consequence = pad.querySelector("[data-consequences]");
    if (!number || consequence === null) return;
    const place = (number.value - number.min) / number.step;
    consequence.textContent = number.value === "" ? "" : JSON.parse(consequence.dataset.consequences)[place] || "";
  }

  // A board is larger than a phone: begin where the player's pieces are.
  function showBoard() {
    const board = pad.querySelector(".board:not(.shown)");
    if (board === null) return;
    board.classList.add("shown");
    pad.querySelector("#selected").scrollIntoView({ block: "center", inline: "center" });
  }

  function showClock() {
    const clock = pad.querySelector("[data-seconds]");
    if (clock && deadlineMs !== null) clock.textContent = Math.max(0, Math.ceil((deadlineMs - performance.now()) / 1000));
  }

  prepare();
  setInterval(showClock, 200);
})();
