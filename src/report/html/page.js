"use strict";
(() => {
  const causes = [...document.querySelectorAll("article")];
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((it) => { it.open = true; }));
  if (causes.length < 4) return;
  const links = [...document.querySelectorAll(".causes li")];
  const label = document.createElement("label");
  label.className = "filter";
  label.append("Show only what contains");
  const input = document.createElement("input");
  input.type = "search";
  label.append(input);
  document.querySelector("nav").prepend(label);
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    causes.forEach((cause, index) => {
      const hidden = !cause.textContent.toLowerCase().includes(wanted);
      cause.hidden = hidden;
      if (links[index]) links[index].hidden = hidden;
    });
  });
})();
