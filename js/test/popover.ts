// Replaces popovers, which jsdom lacks, by the parts of their behaviour that the page needs. Every test file loads it
// first.

/** The open popovers. The outermost one is first. */
const opened: HTMLElement[] = [];

const told = (element: HTMLElement, newState: "open" | "closed") =>
  element.dispatchEvent(Object.assign(new Event("beforetoggle"), { newState }));

function close(element: HTMLElement) {
  const at = opened.indexOf(element);
  if (at < 0) return;
  for (const each of opened.splice(at).reverse()) {
    told(each, "closed");
    each.hidden = true;
  }
}

/**
 * Closed popovers are hidden. A popover opens inside another one, or closes all others. A press elsewhere closes them.
 */
function standInForPopovers() {
  Object.defineProperty(HTMLElement.prototype, "popover", {
    configurable: true,
    get(this: HTMLElement) {
      return this.getAttribute("popover");
    },
    set(this: HTMLElement, kind: string | null) {
      this.hidden = kind !== null;
      if (kind === null) this.removeAttribute("popover");
      else this.setAttribute("popover", kind);
    },
  });
  Object.assign(HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      const other = opened.find((each) => !each.contains(this));
      if (this.popover === "auto" && other) close(other);
      told(this, "open");
      this.hidden = false;
      if (this.popover === "auto") opened.push(this);
    },
    hidePopover(this: HTMLElement) {
      close(this);
    },
  });
  document.addEventListener("pointerdown", ({ target }) => {
    const isInvoker = (each: HTMLElement) =>
      target instanceof Element && target.closest<HTMLButtonElement>("button")?.popoverTargetElement === each;
    const other = opened.find((each) => !each.contains(target as Node) && !isInvoker(each));
    if (other) close(other);
  });
}

if (typeof document !== "undefined") standInForPopovers();

export {};
