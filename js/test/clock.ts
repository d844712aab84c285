import type { Clock } from "../src/sync/backpressure.ts";

/** A clock that tests set. */
export class FakeClock implements Clock {
  private time = 0;
  private last = 0;
  private readonly timers = new Map<number, { at: number; callback: () => void }>();

  now() {
    return this.time;
  }

  setTimeout(callback: () => void, ms: number) {
    this.last += 1;
    this.timers.set(this.last, { at: this.time + ms, callback });
    return this.last;
  }

  clearTimeout(timer: number) {
    this.timers.delete(timer);
  }

  get pending() {
    return this.timers.size;
  }

  advance(ms: number) {
    const end = this.time + ms;
    for (;;) {
      const [next] = [...this.timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (!next) break;
      const [timer, { at, callback }] = next;
      this.timers.delete(timer);
      this.time = at;
      callback();
    }
    this.time = end;
  }
}
