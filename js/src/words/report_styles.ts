// Writes a report as text, as a table or as LaTeX. All have the same figures.

import { version } from "../../package.json";
import { count, percent } from "../base/format.ts";
import type { Picture } from "../shown/picture.ts";
import { type Figure, rangeText, valueText } from "./figure.ts";
import { type Method, references } from "./methods.ts";
import { type Report, reportOf } from "./report.ts";

export const REPORT_STYLES = ["text", "table", "latex"] as const;
export type ReportStyle = (typeof REPORT_STYLES)[number];

/** Writes the report of a picture in one of the styles. */
export function reportText(picture: Picture, style: ReportStyle): string {
  return STYLES[style](reportOf(picture), picture.frame.alpha);
}

const STYLES: Record<ReportStyle, (report: Report, alpha: number) => string> = {
  text: ({ sentences, methods }) => [sentences.join(" "), ...foot(methods)].join("\n\n"),
  table: ({ figures, methods }, alpha) => {
    const rows = [headsOf(alpha), ["---", "---", "---", "---", "---"], ...figures.map(cellsOf)];
    const lines = rows.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
    return [lines.join("\n"), ...foot(methods)].join("\n\n");
  },
  latex: ({ sentences, figures, methods }, alpha) => {
    const row = (cells: readonly string[]) => `${cells.map(latex).join(" & ")} \\\\`;
    return [
      ...["\\begin{table}", `\\caption{${latex(sentences.join(" "))}}`, "\\begin{tabular}{lllll}", "\\hline"],
      ...[row(headsOf(alpha)), "\\hline", ...figures.map((each) => row(cellsOf(each))), "\\hline"],
      ...[
        "\\end{tabular}",
        "\\end{table}",
        ...foot(methods).map((line) => `% ${line.replaceAll("\n", "\n% ")}`),
      ],
    ].join("\n");
  },
};

const headsOf = (alpha: number) => ["figure", "of", "value", `${percent(1 - alpha)} limits`, "method"];

function cellsOf({ of, name, at, counts, method, ...figure }: Figure): string[] {
  const observed = counts ? ` (${count(counts[0])} of ${count(counts[1])})` : "";
  return [`${name}${at}`, of, `${valueText(figure)}${observed}`, rangeText(figure), method?.text ?? ""];
}

/** Lists the works to cite, and this package with its version. */
const foot = (methods: readonly Method[]) => {
  const works = references(methods.flatMap(({ works }) => works));
  return [
    ...(works[0] ? [["References:", ...works].join("\n")] : []),
    `Computed with conformal_roc_widget ${version}.`,
  ];
};

const ESCAPED = /[\\{}$&#^_~%]/g;
const COMMANDS: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
};

const SIGNS: Record<string, string> = {
  "\u2212": "$-$",
  π: "$\\pi$",
  α: "$\\alpha$",
  "≤": "$\\le$",
};

/**
 * Returns a text as LaTeX. Characters that have a meaning in LaTeX are escaped, because the text may contain names that
 * the user gave.
 */
const latex = (text: string) =>
  text
    .replace(ESCAPED, (letter) => COMMANDS[letter] ?? `\\${letter}`)
    .replaceAll("π̃", "$\\tilde\\pi$")
    .replace(/[\u2212πα≤]/g, (sign) => SIGNS[sign])
    .replaceAll(" \\%", "~\\%");
