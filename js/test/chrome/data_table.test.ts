// @vitest-environment jsdom
// The table of the curve's numbers.

import { expect, test } from "vitest";
import { dataTable } from "../../src/chrome/data_table.ts";
import { find, open, prepareBrowser } from "../opened_view.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

prepareBrowser();

test("the data table has 21 rows and reads the curve at the smallest threshold that keeps to the FPR", () => {
  const table = dataTable(pictureOf());
  expect(table.rows).toHaveLength(21);
  expect(table.rows[0]).toEqual(["0.00", "0.50", "0.25 to 0.75"]);
  expect(table.rows[7]).toEqual(["0.35", "0.50", "0.25 to 1.00"]);
  expect(table.rows[20]).toEqual(["1.00", "1.00", "1.00 to 1.00"]);
  expect(dataTable(overviewPicture("classes", "a", "b")).columns).toEqual([
    "False positive rate",
    "Mean sensitivity",
    "Mean limits",
  ]);
});

test("the data table is there from the start", async () => {
  await open();
  expect(find("data-table").querySelectorAll("tbody tr")).toHaveLength(21);
});
