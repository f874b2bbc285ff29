// Keeps a page up to date: the box sends the HTML of each part (data-part) that has changed, and "part" is dispatched on
// its element. Every page works without it, by a reload. No newer JavaScript than a television of 2018 has.
"use strict";

(function () {
  const SILENT_MS = 12000; // the box sends something every 4 s
  const CHECK_MS = 1500;
  const offline = document.querySelector("#offline");
  const received = {}; // the newest HTML of the parts
  const shown = {}; // and what of it is on the page
  let stream = null;
  let heardMs = 0; // when the stream was last heard
  let isFull = false;

  function connect() {
    disconnect();
    heardMs = performance.now();
    stream = new EventSource(location.pathname + location.search);
    stream.onmessage = (event) => {
      heard();
      const parts = JSON.parse(event.data);
      Object.assign(received, parts);
      Object.keys(parts).forEach(show);
    };
    stream.addEventListener("beat", () => {
      heard();
      // a phone says that somebody still looks at it
      if (offline.dataset.here) fetch(offline.dataset.here, { method: "HEAD" }).catch(() => {});
    });
    stream.addEventListener("full", () => {
      isFull = true;
      disconnect();
      report(offline.dataset.full);
    });
  }

  function disconnect() {
    if (stream !== null) stream.close();
    stream = null;
  }

  function heard() {
    heardMs = performance.now();
    offline.hidden = true;
  }

  function report(text) {
    offline.querySelector("span").textContent = text;
    offline.hidden = false;
  }

  function show(name) {
    const part = document.querySelector(`[data-part="${name}"]`);
    const html = received[name];
    if (part === null || shown[name] === html) return;
    const fresh = document.createElement("div");
    fresh.innerHTML = html;
    if (fresh.innerHTML !== part.innerHTML) {
      if (isInUse(part)) return part.addEventListener("focusout", () => setTimeout(show, 0, name), { once: true });
      const opened = Array.from(part.querySelectorAll("details[open][id]")).map((details) => details.id);
      part.innerHTML = html;
      for (const details of part.querySelectorAll("details[id]")) details.open = opened.includes(details.id);
      part.dispatchEvent(new Event("part", { bubbles: true }));
    }
    shown[name] = html;
  }

  // Whether somebody is filling in a form that stays valid when its part changes.
  function isInUse(part) {
    if (!part.hasAttribute("data-keep")) return false;
    return part.contains(document.activeElement) || Array.from(part.querySelectorAll("input, textarea")).some(isChanged);
  }

  function isChanged(field) {
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  }

  // Say why nothing comes: the box is gone, or the session is over. Otherwise the next message is on its way.
  function findReason() {
    fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
      (response) => {
        if (!response.redirected) return;
        if (offline.dataset.ended) report(offline.dataset.ended);
        else location.reload();
      },
      () => report(offline.dataset.offline),
    );
  }

  function watch() {
    if (isFull || stream === null) return;
    const silentMs = performance.now() - heardMs;
    if (silentMs < CHECK_MS || (silentMs < SILENT_MS && stream.readyState === EventSource.OPEN)) return;
    findReason();
    if (silentMs > SILENT_MS || stream.readyState === EventSource.CLOSED) connect();
  }

  const form = document.querySelector("form[data-submit]");
  if (form) form.submit();
  if (offline === null || !("EventSource" in window)) return;
  connect();
  setInterval(watch, CHECK_MS);
  document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
})();
