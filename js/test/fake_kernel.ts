// Fakes a kernel: it handles requests one after the other, and each window learns of a change with a delay.

import { Controller } from "../src/sync/controller.ts";
import type { Controls } from "../src/wire/controls.ts";
import type { Request } from "../src/wire/messages.ts";
import type { FakeClock } from "./clock.ts";
import { MockModel } from "./mock_model.ts";
import { rawFrame } from "./sample.ts";

type Setting = Partial<Controls>;
type Told = Setting & { _frame?: unknown };

/** Milliseconds that a message takes in each direction. */
const WAY = 30;

export class FakeKernel {
  readonly traits: Setting = { alpha: 0.05, threshold: 0.5, band: "sensitivity" };
  readonly windows: { model: MockModel; controller: Controller }[] = [];
  /** Code of the user that runs when a trait changes. */
  observe: (name: string) => void = () => {};
  #request = { client: "", seq: 0 };
  #said = new Map<string, Map<string, { seq: number; value: unknown }>>();
  #newest = new Map<string, number>();

  constructor(readonly clock: FakeClock) {}

  /** Opens the widget in another window. */
  open() {
    const model = new MockModel({ ...this.traits, _frame: this.#frame() });
    model.send = (request) => {
      model.sent.push(request);
      this.#later(() => this.#take(request));
    };
    const controller = new Controller(model.asModel(), this.clock);
    this.windows.push({ model, controller });
    return { model, controller };
  }

  /** Sets traits from Python, as a cell, a thread, a loop or an observer does. */
  set(setting: Setting) {
    for (const [name, value] of Object.entries(setting)) {
      if (this.traits[name as keyof Controls] === value) continue;
      Object.assign(this.traits, { [name]: value });
      this.#tell({ [name]: value });
      this.#tell({ _frame: this.#frame() });
      this.observe(name);
    }
  }

  /** Handles a request like `_news` and `_take` of the widget. */
  #take({ type: _, client, seq, since, ...asked }: Request) {
    if (seq < (this.#newest.get(client) ?? 0)) return;
    this.#newest.set(client, seq);
    const said = this.#said.get(client) ?? new Map();
    this.#said.set(client, said);
    const news = Object.entries(asked).filter(([name, value]) => {
      const before = said.get(name);
      return !before || before.seq <= since || before.value !== value;
    });
    for (const [name, value] of news) said.set(name, { seq, value });
    this.#request = { client, seq };
    const changed = news.filter(([name, value]) => this.traits[name as keyof Controls] !== value);
    Object.assign(this.traits, Object.fromEntries(news));
    const told = Object.keys(asked).map((name) => [name, this.traits[name as keyof Controls]]);
    this.#tell({ ...Object.fromEntries(told), _frame: this.#frame() });
    for (const [name] of changed) this.observe(name);
    this.#request = { client: "", seq: 0 };
  }

  #frame() {
    return rawFrame({ ...this.#request, alpha: this.traits.alpha, threshold: this.traits.threshold });
  }

  #tell(told: Told) {
    for (const { model } of this.windows)
      this.#later(() => model.setAtOnce(Object.entries(told) as Parameters<MockModel["setAtOnce"]>[0]));
  }

  #later(event: () => void) {
    this.clock.setTimeout(event, WAY / 2);
  }
}
