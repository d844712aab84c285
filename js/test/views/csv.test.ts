import { expect, test } from "vitest";
import { withText } from "../../src/chrome/png.ts";
import { csvText, factsOf, fileName, xmlText } from "../../src/views/csv.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

test("a CSV says how its numbers came about, then has a row a vertex", () => {
  const lines = csvText(pictureOf()).split("\n");
  expect(lines).toContain("# alpha=0.05");
  expect(lines).toContain("# n calibration, label 0=99");
  expect(lines).toContain("# guarantee=at least 95 % in large samples");
  const rows = lines.filter((line) => line && !line.startsWith("#"));
  expect(rows[0]).toBe("threshold,fpr,tpr,fpr_lower,fpr_upper,tpr_lower,tpr_upper");
  expect(rows).toHaveLength(7);
  expect(rows[1]).toBe("inf,0,0,0,0,0,0");
  expect(rows[3]).toBe("0.7,0.2,0.5,0,0.4,0.25,1");
});

test("numbers in a CSV read back as the same numbers", () => {
  const picture = pictureOf();
  const third = 1 / 3;
  picture.frame.limits.tprUpper.fill(third);
  const cells = csvText(picture).trim().split("\n").at(-1)?.split(",") ?? [];
  expect(Number(cells.at(-1))).toBe(third);
});

test("a name with line breaks stays a comment", () => {
  const name = 'a\nthreshold,0\u2028"b"';
  const picture = { ...overviewPicture("classifiers", name, "other"), shown: 0 };
  const lines = csvText(picture).trim().split("\n");
  const isData = (line: string) => /^(threshold,fpr|[\d.inf-]+,[\d.]+,)/.test(line);
  expect(lines.every((line) => line.startsWith("# ") || isData(line))).toBe(true);
});

test("the CSV of the classes' average has no thresholds, and says the weights", () => {
  const lines = csvText(overviewPicture("classes", "a", "b"))
    .trim()
    .split("\n");
  expect(lines).toContain("# weights=size");
  const rows = lines.filter((line) => !line.startsWith("#"));
  expect(rows[0]).toBe("fpr,tpr,tpr_lower,tpr_upper");
  expect(rows).toHaveLength(1002);
});

test("facts name alpha, threshold, sizes and method, and the label of a class", () => {
  const facts = Object.fromEntries(factsOf({ ...overviewPicture("classes", "a", "b"), shown: 1 }));
  expect(facts).toMatchObject({ alpha: 0.05, threshold: 0.5, band: "sensitivity", "a: label": '"a"' });
  expect(facts).toMatchObject({ target: "the curve of the true probabilities", scope: "pointwise" });
});

test("file names carry alpha, and of a name only what every file system takes", () => {
  expect(fileName(pictureOf(), "svg")).toBe("roc-alpha-0.05.svg");
  const picture = { ...overviewPicture("classes", "../a b<c>", "b"), shown: 0 };
  expect(fileName(picture, "csv")).toBe("roc-a-b-c-alpha-0.05.csv");
});

test("no character is left that XML forbids", () => {
  expect(xmlText("a\u0000b\u001fc\ufffed\ud800e\tf\u{1f600}")).toBe(
    "a\ufffdb\ufffdc\ufffdd\ufffde\tf\u{1f600}",
  );
});

const HEADER = 33;

test("a text becomes a chunk of a PNG, with length and check sum", () => {
  const png = Uint8Array.from({ length: HEADER + 4 }, (_, i) => i);
  const result = withText(png, "Description", "α=0.05");
  const view = new DataView(result.buffer);
  const length = view.getUint32(HEADER);
  expect(result.length).toBe(png.length + 12 + length);
  expect(new TextDecoder().decode(result.subarray(HEADER + 4, HEADER + 19))).toBe("iTXtDescription");
  expect(new TextDecoder().decode(result.subarray(HEADER + 24, HEADER + 8 + length))).toBe("α=0.05");
  expect([...result.subarray(-4)]).toEqual([...png.subarray(-4)]);
});

test("the check sum of a chunk is the CRC of the PNG standard", () => {
  const png = new Uint8Array(HEADER);
  const result = withText(png, "a", "b");
  // The checksum of "iTXta\0\0\0\0\0b", as zlib.crc32 gives it.
  expect(new DataView(result.buffer).getUint32(result.length - 4)).toBe(2668364866);
});

test.each([",=1+1,", ";=1+1;", ", =1+1", ',"=1+1",', "|@SUM(1)", ",-1+1", ",\t=1", ",＝1", ',"'])(
  "a name like %j writes no formula, and begins no quotation, in any cell of a CSV",
  (name) => {
    const lines = csvText({ ...overviewPicture("classifiers", name, "other"), shown: 0 }).split("\n");
    const cells = lines.filter((line) => line.startsWith("#")).flatMap((line) => line.split(/[,;|]/));
    expect(cells.filter((cell) => /^\s*["=+\-@＝]/.test(cell))).toEqual([]);
  },
);
