// Makes a controller with a model and a clock that tests control.

import type { Picture } from "../../src/shown/picture.ts";
import { Controller } from "../../src/sync/controller.ts";
import { FakeClock } from "../clock.ts";
import { MockModel } from "../mock_model.ts";

export let model: MockModel;
export let clock: FakeClock;
export let controller: Controller;

export function start(traits: ConstructorParameters<typeof MockModel>[0] = {}) {
  model = new MockModel(traits);
  clock = new FakeClock();
  controller = new Controller(model.asModel(), clock);
}

export function picture(): Picture {
  const result = controller.picture();
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}
