// Observers, which jsdom lacks.

/** Sees no change. */
export class StillObserver {
  observe() {}
  disconnect() {}
}

type Sighting = (changes: { isIntersecting: boolean }[]) => void;

/** Elements that come into sight, and go out of it, when a test says so. */
export class FakeIntersectionObserver {
  static readonly observing = new Map<Element, Sighting>();
  private element: Element | undefined;

  constructor(private readonly react: Sighting) {}

  observe(element: Element) {
    this.element = element;
    FakeIntersectionObserver.observing.set(element, this.react);
  }

  disconnect() {
    if (this.element) FakeIntersectionObserver.observing.delete(this.element);
  }

  static show(element: Element, ...isIntersecting: boolean[]) {
    FakeIntersectionObserver.observing.get(element)?.(
      isIntersecting.map((each) => ({ isIntersecting: each })),
    );
  }
}
