// Back-pressure towards the kernel. At most two requests wait for an answer (two hide the server's delay, a third
// only queues), and they go out at a pace at which page, server and kernel have time for other work; meanwhile only
// the latest wish is kept, and it is always sent in the end.

const WINDOW = 2;
const PACE_MS = 50;
const PATIENCE_MS = 1500;
const LONGEST_PATIENCE_MS = 24000;

export interface Clock {
  now(): number;
  setTimeout(callback: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

export const pageClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => window.setTimeout(callback, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
};

export interface Backpressure<T> {
  /** Send this as soon as there is room, unless a later wish comes first. */
  wish(value: T): void;
  /** A later answer than this one, or this one, has come. */
  isPast(seq: number): boolean;
  /** An answer came. True if it is news: no later one has come before it. */
  answered(seq: number): boolean;
  /** Nothing is waiting, neither here nor at the kernel. */
  readonly idle: boolean;
  /** How often in a row nothing was answered in time. */
  readonly lost: number;
  /** Forget what waits. */
  clear(): void;
}

export function createBackpressure<T>(
  send: (seq: number, value: T) => void,
  clock: Clock,
  lastSeq: number,
): Backpressure<T> {
  const sentAt = new Map<number, number>();
  let seq = lastSeq;
  let newestAnswer = lastSeq;
  let wished: T | null = null;
  let lastSent: T | null = null;
  let lost = 0;
  let timer: number | null = null;
  let nextSendAt = Number.NEGATIVE_INFINITY;
  let pacing: number | null = null;

  function pump() {
    if (wished !== null && sentAt.size < WINDOW && isTime()) {
      lastSent = wished;
      wished = null;
      seq += 1;
      const now = clock.now();
      sentAt.set(seq, now);
      nextSendAt = now + PACE_MS;
      send(seq, lastSent);
    }
    watchOldest();
  }

  /** If it is too early for the next request, this comes back when it is time. */
  function isTime(): boolean {
    const wait = nextSendAt - clock.now();
    if (wait <= 0) return true;
    pacing ??= clock.setTimeout(() => {
      pacing = null;
      pump();
    }, wait);
    return false;
  }

  function watchOldest() {
    if (timer !== null) clock.clearTimeout(timer);
    const [oldest] = sentAt.values();
    timer = oldest === undefined ? null : clock.setTimeout(giveUp, oldest + patience() - clock.now());
  }

  // A kernel that is merely busy will read every repetition later, hence the growing patience.
  const patience = () => Math.min(PATIENCE_MS * 2 ** lost, LONGEST_PATIENCE_MS);

  function giveUp() {
    sentAt.clear();
    lost += 1;
    wished ??= lastSent;
    pump();
  }

  return {
    wish(value) {
      wished = value;
      pump();
    },
    isPast: (answer) => answer <= newestAnswer,
    answered(answer) {
      for (const waiting of sentAt.keys()) if (waiting <= answer) sentAt.delete(waiting);
      lost = 0;
      const isNews = !this.isPast(answer);
      newestAnswer = Math.max(newestAnswer, answer);
      pump();
      return isNews;
    },
    get idle() {
      return wished === null && sentAt.size === 0;
    },
    get lost() {
      return lost;
    },
    clear() {
      for (const waiting of [timer, pacing]) if (waiting !== null) clock.clearTimeout(waiting);
      timer = null;
      pacing = null;
      lost = 0;
      sentAt.clear();
      wished = null;
    },
  };
}
