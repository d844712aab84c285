// Replaces the observers that jsdom lacks.

/** An observer that never reports a change. */
export class StillObserver {
  observe() {}
  disconnect() {}
}

type Sighting = (changes: { isIntersecting: boolean }[]) => void;

/** An observer whose elements become visible or hidden when a test says so. */
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
