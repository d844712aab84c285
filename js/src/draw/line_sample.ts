// A piece of the line of one of several evaluations, beside its name.

import { decoration, setAttributes, svg } from "../base/dom.ts";
import type { Pen } from "../scene.ts";
import { strokeOf } from "./colour.ts";

export function createLineSample() {
  const line = svg("path", { d: "M0 5H22" });
  return {
    element: decoration({ width: 22, height: 10 }, line),
    draw: (look: Pen) => setAttributes(line, strokeOf(look)),
  };
}

export type LineSample = ReturnType<typeof createLineSample>;
