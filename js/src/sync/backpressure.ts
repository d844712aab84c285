// Back-pressure towards the kernel. At most two requests wait for an answer (two hide the server's delay, a third
// only queues), and they go out at a pace at which page, server and kernel have time for other work. A request says what
// is wished for as it goes out, and the last wish is always sent in the end.

const WINDOW = 2;
const PACE_MS = 50;
/** While a hand is on the move and the page draws ahead: each answer also makes the notebook around the widget work. */
const AHEAD_PACE_MS = 100;
/** Wishes that follow each other as quickly as this come from a hand on the move. */
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

export interface Backpressure {
  /** Sends the request as soon as there is room. `isAhead` says that the page has drawn it already. */
  wish(isAhead: boolean): void;
  /** Says that the hand has let go: the last request then waits no longer than usual. */
  rest(): void;
  /** Whether a later answer than this one has come. */
  isPast(seq: number): boolean;
  /** Takes an answer; true if no later one has come before it. */
  answered(seq: number): boolean;
  /** The number of the newest answer. */
  readonly newest: number;
  /** Whether nothing waits, neither here nor at the kernel. */
  readonly idle: boolean;
  /** How many requests in a row were not answered in time. */
  readonly lost: number;
  /** Forgets what waits. */
  clear(): void;
}

/** Calls back once after a while; a new call takes the place of the one before, and null takes it away. */
function createAlarm(clock: Clock) {
  let id: number | null = null;
  return (callback: () => void, wait: number | null) => {
    if (id !== null) clock.clearTimeout(id);
    id = wait === null ? null : clock.setTimeout(callback, wait);
  };
}

/** The requests that went out and are not answered; says once the oldest has waited too long, and forgets them. */
function createWaiting(clock: Clock, isOver: () => void) {
  const sentAt = new Map<number, number>();
  const outOfPatience = createAlarm(clock);
  let lost = 0;

  // A kernel that is merely busy will read every repetition later, hence the growing patience.
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
    /** Takes an answer, which is to all requests up to its own. */
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

export function createBackpressure(send: (seq: number) => void, clock: Clock, lastSeq: number): Backpressure {
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

  /** Whether the next request may go out; if it is too early, sending is tried again when it is time. */
  function isTime(): boolean {
    const wait = lastSendAt + pace - clock.now();
    nextTime(pump, wait <= 0 ? null : wait);
    return wait <= 0;
  }

  return {
    wish(isAhead) {
      const now = clock.now();
      pace = isAhead && now - lastWishAt < MOVING_MS ? AHEAD_PACE_MS : PACE_MS;
      lastWishAt = now;
      isWished = true;
      pump();
    },
    rest() {
      pace = PACE_MS;
      pump();
    },
    isPast: (answer) => answer < newestAnswer,
    answered(answer) {
      waiting.answered(answer);
      const isNews = !this.isPast(answer);
      newestAnswer = Math.max(newestAnswer, answer);
      pump();
      return isNews;
    },
    get newest() {
      return newestAnswer;
    },
    get idle() {
      return !isWished && waiting.count() === 0;
    },
    get lost() {
      return waiting.lost();
    },
    clear() {
      waiting.clear();
      nextTime(pump, null);
      isWished = false;
    },
  };
}
