// @vitest-environment jsdom
// Notes beside the chart, and what can be done about them.

import { expect, test } from "vitest";
import { find, model, open, openView, prepareBrowser, root } from "../opened_view.ts";
import { drawn } from "../page.ts";
import { rawEvaluation, rawFrame, WITHOUT_LIMITS_0 } from "../sample.ts";

prepareBrowser();

test("a note that is dismissed stays away, in every view of the widget", async () => {
  await open({ _data: rawEvaluation({ notes: ["Mind this. It matters.", "And this."] }) });
  expect(root.querySelectorAll('[data-testid="note"]')).toHaveLength(2);
  root.querySelector<HTMLElement>(".crw-close")?.click();
  await drawn();
  expect(find("note").textContent).toBe("And this. ");
  await openView();
  expect(root.querySelectorAll('[data-testid="note"]')).toHaveLength(1);
});

test("where a label has no limits, one button sets the confidence from which it has both", async () => {
  const _data = rawEvaluation({ n_calibration: [12, 199] });
  await open({ _data, _frame: rawFrame(WITHOUT_LIMITS_0) });
  const action = root.querySelector(".crw-action") as HTMLElement;
  expect(action.textContent).toBe("Set confidence to 69\u00a0%");
  action.click();
  await drawn();
  expect(model.get("alpha")).toBe(0.31);
});
