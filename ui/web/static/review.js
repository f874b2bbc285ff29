// Optional JavaScript: stepping through the images of a strip, and keyboard shortcuts. Every page works without it.
"use strict";

for (const film of document.querySelectorAll("[data-film]")) play(film);

// A link to a round in a match opens it, and paper shows what a touch would open.
function openTarget() {
  const round = location.hash.startsWith("#round-") && document.getElementById(location.hash.slice(1));
  if (!round) return;
  round.closest("details").open = true;
  round.closest("details").scrollIntoView();
}
openTarget();
addEventListener("hashchange", openTarget);
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll(".course details")) details.open = true;
});

function play(film) {
  const times = film.dataset.times.split(" ").map(Number);
  const player = film.querySelector("[data-player]");
  const slider = player.querySelector("[data-slider]");
  const time = player.querySelector("[data-time]");
  const windows = [...player.querySelectorAll("[data-window]")];
  const steps = [...player.querySelectorAll("[data-step]")];
  const cursors = [...film.querySelectorAll("[data-strip]")].map((strip) => {
    const cursor = strip.appendChild(document.createElement("span"));
    cursor.className = "here";
    cursor.style.width = `${100 / times.length}%`;
    strip.addEventListener("click", (event) => {
      const box = strip.getBoundingClientRect();
      show(Math.floor(((event.clientX - box.left) / box.width) * times.length));
    });
    return cursor;
  });
  const lock = times.reduce((best, at, n) => (Math.abs(at) < Math.abs(times[best]) ? n : best), 0);
  let current = lock;

  function show(number) {
    current = Math.max(0, Math.min(times.length - 1, number));
    for (const picture of windows) picture.style.transform = `translateX(${(-100 * current) / times.length}%)`;
    for (const cursor of cursors) cursor.style.left = `${(100 * current) / times.length}%`;
    for (const button of steps) button.disabled = !(current + Number(button.dataset.step) in times);
    time.textContent = formatLockOffset(film.dataset, times[current]);
    slider.value = current;
    slider.setAttribute("aria-valuetext", time.textContent);
    player.classList.toggle("at-lock", current === lock);
  }

  for (const picture of windows) picture.style.width = `${100 * times.length}%`;
  for (const button of steps) button.addEventListener("click", () => show(current + Number(button.dataset.step)));
  slider.max = times.length - 1;
  slider.addEventListener("input", () => show(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || isTaken(event)) return;
    event.preventDefault();
    show(current + step);
  });
  player.hidden = false;
  film.dataset.stepping = "";
  show(lock);
}

function formatLockOffset(texts, ms) {
  return (ms === 0 ? texts.atLock : ms < 0 ? texts.beforeLock : texts.afterLock).replace("{ms}", Math.abs(ms));
}

// Whether a key belongs to something else: a field, or a browser shortcut.
function isTaken(event) {
  return (
    event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ||
    Boolean(event.target.closest && event.target.closest("input, select, textarea"))
  );
}

document.addEventListener("keydown", (event) => {
  const rel = { j: "next", k: "prev" }[event.key];
  if (rel === undefined || isTaken(event)) return;
  const link = document.querySelector(`a[rel="${rel}"]`);
  if (link) link.click();
});
