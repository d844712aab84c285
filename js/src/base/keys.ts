// Keyboard: the keys of sliders, of undo, and of fields.

export interface KeyMoves {
  arrow(sign: 1 | -1): void;
  page(sign: 1 | -1): void;
  home(): void;
  end(): void;
}

/** The keys of a slider. Those that move it go no further: the notebook has shortcuts on them. */
export function onSliderKeys(element: Element, moves: KeyMoves, signal: AbortSignal) {
  const actions: Record<string, () => void> = {
    ArrowRight: () => moves.arrow(1),
    ArrowUp: () => moves.arrow(1),
    ArrowLeft: () => moves.arrow(-1),
    ArrowDown: () => moves.arrow(-1),
    PageUp: () => moves.page(1),
    PageDown: () => moves.page(-1),
    Home: moves.home,
    End: moves.end,
  };
  const listener = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  };
  element.addEventListener("keydown", listener as EventListener, { signal });
}

/** Ctrl+Z or Cmd+Z inside an element; in a field where one types it is the browser's. The notebook has its own undo on it. */
export function onUndo(element: HTMLElement, undo: () => void, signal: AbortSignal) {
  element.addEventListener(
    "keydown",
    (event) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isUndo || event.key.toLowerCase() !== "z") return;
      if (event.target instanceof HTMLInputElement && TYPED.has(event.target.type)) return;
      event.stopPropagation();
      event.preventDefault();
      undo();
    },
    { signal, capture: true },
  );
}

/** Keys of lists, choices and ranges are their own: nothing around them, no menu and no notebook, hears of them. */
export function keepKeys(root: HTMLElement, signal: AbortSignal) {
  root.addEventListener(
    "keydown",
    (event) => {
      if ((event.target as Element).matches("select, [type=radio], [type=range]"))
        event.stopImmediatePropagation();
    },
    { signal },
  );
}

const TYPED = new Set(["text", "number", "search"]);
