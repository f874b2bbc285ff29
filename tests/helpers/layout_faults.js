// What of a page's texts can't be read, as a list: texts that are cut off, that leave the window (a page may be longer than
// it, unless it is one that doesn't scroll), or that lie on another text.
(() => {
  const SLACK_PX = 2;
  const scrolls = getComputedStyle(document.body).overflowY !== "hidden";
  const texts = [];
  const faults = new Set();
  const isFixed = (element) => {
    for (let parent = element; parent; parent = parent.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(parent).position)) return true;
    }
    return false;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, script, style, noscript, option, .unseen, .skip")) continue;
    if (!element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const say = (what) => faults.add(`${what}: ${node.data.trim().slice(0, 40)} in ${element.outerHTML.slice(0, 120)}`);
    for (const rect of range.getClientRects()) {
      const box = { left: rect.left, right: rect.right, top: rect.top + rect.height * 0.22, bottom: rect.bottom - rect.height * 0.22 };
      if (box.right - box.left < 1) continue;
      let slides = false;
      for (let parent = element; parent && parent !== document.body; parent = parent.parentElement) {
        const style = getComputedStyle(parent);
        const around = parent.getBoundingClientRect();
        if (around.width <= 1 || /auto|scroll/.test(style.overflowX)) slides = true; // or only for screen readers
        else if (!slides && style.overflowX !== "visible" && (box.left < around.left - SLACK_PX || box.right > around.right + SLACK_PX)) say("cut");
        else if (!slides && style.overflowY !== "visible" && (box.top < around.top - SLACK_PX || box.bottom > around.bottom + SLACK_PX)) say("cut");
      }
      if (slides) continue;
      if (box.left < -SLACK_PX || box.right > innerWidth + SLACK_PX) say("outside");
      if (!scrolls && (box.top < -SLACK_PX || box.bottom > innerHeight + SLACK_PX)) say("outside");
      if (!isFixed(element)) texts.push({ node, box, say });
    }
  }
  texts.forEach((text, index) => {
    for (const other of texts.slice(index + 1)) {
      if (other.node === text.node) continue;
      const across = Math.min(text.box.right, other.box.right) - Math.max(text.box.left, other.box.left);
      const down = Math.min(text.box.bottom, other.box.bottom) - Math.max(text.box.top, other.box.top);
      if (across > SLACK_PX && down > SLACK_PX) text.say(`lies on "${other.node.data.trim().slice(0, 30)}"`);
    }
  });
  if (document.documentElement.scrollWidth > innerWidth) faults.add("the page is wider than the window");
  return [...faults];
})()
