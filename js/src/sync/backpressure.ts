// Limits the requests to the kernel. At most two requests wait for an answer: the second hides the delay of
// the server, and a third would only queue. Requests are spaced in time, which leaves the page, the server
// and the kernel time for other work. A request carries the setting at the time when it is sent, and the last
// setting is always sent.

const WINDOW = 2;
const PACE_MS = 50;
/**
 * Time in milliseconds between requests if the page itself has already drawn the change. A faster pace would slow down
 * the notebook.
 */
const AHEAD_PACE_MS = 100;
/** If two settings follow each other within this time in milliseconds, the user is dragging. */
const MOVING_MS = 40;
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

/** Makes a timer that calls back once. A new time replaces the previous one, and null cancels it. */
function createAlarm(clock: Clock) {
  let id: number | null = null;
  return (callback: () => void, wait: number | null) => {
    if (id !== null) clock.clearTimeout(id);
    id = wait === null ? null : clock.setTimeout(callback, wait);
  };
}

/**
 * Keeps the requests that have no answer yet. If the oldest has waited too long, calls `isOver` once and forgets all of
 * them.
 */
function createWaiting(clock: Clock, isOver: () => void) {
  const sentAt = new Map<number, number>();
  const outOfPatience = createAlarm(clock);
  let lost = 0;

  // If the kernel is busy, repeating a request delays its answers further. So each time without an answer,
  // the page waits twice as long, up to a limit.
  const patience = () => Math.min(PATIENCE_MS * 2 ** lost, LONGEST_PATIENCE_MS);

  function giveUp() {
    sentAt.clear();
    lost += 1;
    isOver();
  }

  return {
    count: () => sentAt.size,
    lost: () => lost,
    sent: (seq: number) => sentAt.set(seq, clock.now()),
    watch() {
      const [oldest] = sentAt.values();
      outOfPatience(giveUp, oldest === undefined ? null : oldest + patience() - clock.now());
    },
    /** Accepts an answer. It counts as the answer to all earlier requests too. */
    answered(answer: number) {
      for (const seq of sentAt.keys()) if (seq <= answer) sentAt.delete(seq);
      lost = 0;
    },
    clear() {
      outOfPatience(giveUp, null);
      lost = 0;
      sentAt.clear();
    },
  };
}

export type Backpressure = ReturnType<typeof createBackpressure>;

export function createBackpressure(send: (seq: number) => void, clock: Clock, lastSeq: number) {
  const nextTime = createAlarm(clock);
  const waiting = createWaiting(clock, () => {
    isWished = true;
    pump();
  });
  let seq = lastSeq;
  let newestAnswer = lastSeq;
  let isWished = false;
  let pace = PACE_MS;
  let lastSendAt = Number.NEGATIVE_INFINITY;
  let lastWishAt = Number.NEGATIVE_INFINITY;

  function pump() {
    if (isWished && waiting.count() < WINDOW && isTime()) {
      isWished = false;
      seq += 1;
      lastSendAt = clock.now();
      waiting.sent(seq);
      send(seq);
    }
    waiting.watch();
  }

  /** Whether the next request may be sent now. If not, sending is tried again later. */
  function isTime(): boolean {
    const wait = lastSendAt + pace - clock.now();
    nextTime(pump, wait <= 0 ? null : wait);
    return wait <= 0;
  }

  return {
    /**
     * Asks for a request, which is sent as soon as allowed. `isAhead` tells that the page itself has already drawn the
     * change.
     */
    wish(isAhead: boolean) {
      const now = clock.now();
      pace = isAhead && now - lastWishAt < MOVING_MS ? AHEAD_PACE_MS : PACE_MS;
      lastWishAt = now;
      isWished = true;
      pump();
    },
    /** Called at the end of a drag, so that the last request is sent without a longer wait than usual. */
    rest() {
      pace = PACE_MS;
      pump();
    },
    /** Whether the kernel has already answered a later request than this one. */
    isPast: (answer: number) => answer < newestAnswer,
    /** Accepts an answer. Returns false if a later request was answered before, because it is then out of date. */
    answered(answer: number): boolean {
      waiting.answered(answer);
      const isNews = !this.isPast(answer);
      newestAnswer = Math.max(newestAnswer, answer);
      pump();
      return isNews;
    },
    /** The number of the newest request that was answered. */
    get newest() {
      return newestAnswer;
    },
    /** Whether no request waits, neither to be sent nor for an answer. */
    get idle() {
      return !isWished && waiting.count() === 0;
    },
    /** How many requests in a row were not answered in time. */
    get lost() {
      return waiting.lost();
    },
    /** Forgets the waiting requests. */
    clear() {
      waiting.clear();
      nextTime(pump, null);
      isWished = false;
    },
  };
}
