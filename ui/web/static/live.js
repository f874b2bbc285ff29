// Keeps a page up to date: the box sends the HTML of each part (data-part) that has changed, and "part" is dispatched on
// its element. Every page works without it, by a reload. No newer JavaScript than a television of 2018 has.
"use strict";

(function () {
  const SILENT_MS = 12000; // the box sends something every 4 s
  const CHECK_MS = 1500;
  const offline = document.querySelector("#offline");
  const received = {}; // the HTML of the parts, as it came
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
      for (const name of Object.keys(parts)) receive(name, parts[name]);
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

  function receive(name, html) {
    const part = document.querySelector(`[data-part="${name}"]`);
    if (part === null || received[name] === html) return;
    const fresh = document.createElement("div");
    fresh.innerHTML = html;
    if (fresh.innerHTML !== part.innerHTML) {
      if (isInUse(part)) return part.addEventListener("focusout", () => setTimeout(receive, 0, name, html), { once: true });
      const opened = Array.from(part.querySelectorAll("details[open][id]")).map((details) => details.id);
      part.innerHTML = html;
      for (const details of part.querySelectorAll("details[id]")) details.open = opened.includes(details.id);
      part.dispatchEvent(new Event("part", { bubbles: true }));
    }
    received[name] = html;
  }

  // Whether somebody is filling in a form that stays valid when its part changes.
  function isInUse(part) {
    return part.hasAttribute("data-keep") && part.contains(document.activeElement);
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
