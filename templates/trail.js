"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const last = data.steps.length;
  const slider = find("slider");
  let position = 0;
  let lap = 0;

  const made = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // what belongs to which step, found once
  const marks = Array.from({ length: last + 1 }, () => []);
  for (const arrow of document.querySelectorAll(".arrow, .stub")) {
    marks[arrow.dataset.sent].push(arrow);
    if (arrow.dataset.taken && arrow.dataset.taken !== arrow.dataset.sent) marks[arrow.dataset.taken].push(arrow);
  }
  const listings = [...document.querySelectorAll(".listing")].map((pre) => ({ pre, lines: pre.children }));
  let lit = [];

  const light = (element) => {
    if (!element) return;
    element.classList.add("now");
    lit.push(element);
  };

  /** Scrolls a box, and not the page, until the element is in its middle third. */
  const reveal = (box, top, height) => {
    const room = box.clientHeight;
    if (top < box.scrollTop + room * 0.15 || top + height > box.scrollTop + room * 0.85) {
      box.scrollTop = Math.max(0, top - room * 0.4);
    }
  };

  /** The value of a variable at a position: the last one that it got before. */
  const valueAt = (values, at) => {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle][0] <= at) low = middle + 1; else high = middle;
    }
    return low === 0 ? null : values[low - 1];
  };

  const showStep = () => {
    const box = find("step");
    box.replaceChildren();
    if (position === last) box.append(made("pre", "said ending", data.ending.trimEnd()));
    if (position === 0) {
      for (const remark of data.start) box.prepend(made("p", "remark", remark));
      box.prepend(made("div", "soft", "the initial state"));
      return;
    }
    const step = data.steps[position - 1];
    for (const part of step.parts) {
      const row = made("div", "statement");
      row.append(made("strong", "", part.process), made("code", "", part.text), made("span", "soft", part.place));
      box.append(row);
    }
    for (const life of step.lives || []) box.append(made("div", "soft", life));
    if (step.printed) box.append(made("pre", "said", step.printed));
    for (const remark of step.remarks || []) box.append(made("p", "remark", remark));
    for (const fault of step.faults || []) box.append(made("p", "wrong", fault));
  };

  const showVariables = () => {
    const table = find("variables");
    const bodies = [];
    for (const scope of data.scopes) {
      if (position < scope.from || (scope.to !== null && position >= scope.to) || !scope.variables.length) continue;
      const body = made("tbody");
      const head = made("tr");
      const title = made("th", "", scope.name);
      title.colSpan = 2;
      title.scope = "rowgroup";
      head.append(title);
      body.append(head);
      for (const variable of scope.variables) {
        const value = valueAt(variable.values, position);
        if (!value) continue;
        const row = made("tr", value[0] === position && position > 0 ? "changed" : "");
        row.append(made("td", "", variable.name), made("td", "", value[1]));
        body.append(row);
      }
      bodies.push(body);
    }
    if (!bodies.length) {
      const body = made("tbody");
      body.append(made("tr"));
      body.firstChild.append(made("td", "", "there are none"));
      bodies.push(body);
    }
    table.replaceChildren(...bodies);
  };

  const showSource = () => {
    if (position === 0) return;
    for (const part of data.steps[position - 1].parts) {
      const { pre, lines } = listings[part.file];
      const line = lines[part.line - 1];
      if (!line) continue;
      light(line);
      reveal(pre, line.offsetTop, line.offsetHeight);
    }
  };

  const showChart = () => {
    const [top, height] = data.rows[position];
    const band = find("now-row");
    band.setAttribute("y", position === 0 ? 46 : top);
    band.setAttribute("height", position === 0 ? 0 : height);
    marks[position].forEach(light);
    const box = find("chart");
    reveal(box, position === 0 ? 0 : top, height);
    if (position === 0) return;
    // the lanes that move, with room for what stands beside them
    const lanes = data.steps[position - 1].parts.map((part) => part.x);
    const [left, right] = [Math.min(...lanes) - 60, Math.max(...lanes) + 130];
    if (left < box.scrollLeft || right > box.scrollLeft + box.clientWidth) {
      box.scrollLeft = Math.max(0, Math.min(left, (left + right - box.clientWidth) / 2));
    }
  };

  const following = (number) => {
    const { laps, again } = data.claim;
    return number + 1 < laps.length ? number + 1 : again;
  };

  /** What the claim does in the current state: [before, after or null, conditions that hold]. */
  const look = () => {
    const { laps } = data.claim;
    let turn = 0;
    for (let i = 0; i < lap && turn !== null; i++) turn = following(turn);
    const ended = data.cycle === last;
    if (ended && position === last) {
      // the last state again and again
      const all = laps.flat().filter((each) => each[0] === last);
      const first = 1 + (data.claim.again || 0);
      const number = lap < all.length ? lap : first + ((lap - first) % Math.max(1, all.length - first));
      return all[number] ? all[number].slice(1) : null;
    }
    let at = position;
    let list = laps[turn === null ? laps.length - 1 : turn];
    if (position === last && data.cycle !== null && turn !== null && following(turn) !== null) {
      list = laps[following(turn)];
      at = data.cycle;
    }
    if (at < (list[0] || [0])[0]) list = laps[0];
    let latest = null;
    for (const each of list) {
      if (each[0] === at) return each.slice(1);
      if (each[0] < at) latest = each;
    }
    // inside an atomic sequence, or all is said: it has looked already
    return latest ? [latest[2], null, null] : null;
  };

  const showClaim = () => {
    if (!data.claim) return;
    const box = find("claim");
    box.replaceChildren();
    const seen = look();
    if (!seen) return;
    const [before, after, holding] = seen;
    const state = document.querySelector(`.state[data-state="${before}"]`);
    light(state);
    const view = document.querySelector(".automaton-scroll");
    if (state && view) {
      const [inner, outer] = [state.getBoundingClientRect(), view.getBoundingClientRect()];
      if (inner.left < outer.left || inner.right > outer.right) {
        view.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
      }
    }
    box.append(made("div", "", after === null ? `in state ${before}` : `in state ${before}, goes on to ${after}`));
    if (after !== null) light(document.querySelector(`.edge[data-from="${before}"][data-to="${after}"]`));
    const final = data.claim.laps[data.claim.laps.length - 1];
    if (data.claim.again === null && position >= final[final.length - 1][0]) {
      box.append(made("div", "enough", "it has seen enough: whatever follows, the property is violated"));
    }
    if (holding && data.claim.conditions.length) {
      const list = made("div", "conditions mono");
      data.claim.conditions.forEach((text, i) => {
        const holds = holding.includes(i);
        list.append(made("span", holds ? "holds" : "fails", (holds ? "" : "!") + text));
      });
      box.append(list);
    }
  };

  const show = () => {
    lit.forEach((element) => element.classList.remove("now"));
    lit = [];
    const number = position === 0 ? "start" : `step ${data.steps[position - 1].number}`;
    const total = last === 0 ? "0" : data.steps[last - 1].number.split("–").pop();
    find("where").textContent = `${number} of ${total}`;
    find("lap").textContent = lap === 0 ? "" : data.cycle === last ? `the last state, ${lap + 1} times` : `round ${lap + 1} of the cycle`;
    slider.value = position;
    slider.setAttribute("aria-valuetext", find("where").textContent);
    const endless = data.cycle !== null;
    find("first").disabled = find("back").disabled = position === 0;
    find("forward").disabled = position === last && !endless;
    find("last").disabled = position === last;
    showStep();
    showVariables();
    showSource();
    showChart();
    showClaim();
  };

  const go = (to) => {
    position = Math.max(0, Math.min(last, to));
    lap = 0;
    show();
  };

  const forward = () => {
    if (position < last) {
      position += 1;
    } else if (data.cycle !== null) {
      position = Math.min(data.cycle + 1, last);
      lap += 1;
    }
    show();
  };

  const back = () => {
    if (lap > 0 && position <= Math.min(data.cycle + 1, last)) {
      lap -= 1;
      position = last;
    } else if (position > 0) {
      position -= 1;
    }
    show();
  };

  find("first").addEventListener("click", () => go(0));
  find("back").addEventListener("click", back);
  find("forward").addEventListener("click", forward);
  find("last").addEventListener("click", () => go(last));
  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const action = { ArrowLeft: back, ArrowRight: forward, Home: () => go(0), End: () => go(last) }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  find("chart-body").addEventListener("click", (event) => {
    const svg = find("chart-body");
    const y = 46 + ((event.clientY - svg.getBoundingClientRect().top) * (svg.viewBox.baseVal.height)) / svg.clientHeight;
    let at = 0;
    while (at < last && data.rows[at + 1][0] <= y) at += 1;
    go(at);
  });

  // a link may name a step: page.html#step-12
  const named = /^#step-(\d+)$/.exec(location.hash);
  const wanted = named ? data.steps.findIndex((step) => step.number.split("–").includes(named[1])) : -1;
  go(wanted + 1);
})();
