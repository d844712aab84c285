// A report as text, as a table and as LaTeX: the same figures each time.

import { version } from "../../package.json";
import { count, percent } from "../base/format.ts";
import type { Picture } from "../shown/picture.ts";
import { type Figure, rangeText, valueText } from "./figure.ts";
import { type Method, references } from "./methods.ts";
import { type Report, reportOf } from "./report.ts";

export const REPORT_STYLES = ["text", "table", "latex"] as const;
export type ReportStyle = (typeof REPORT_STYLES)[number];

/** What a paper says of a picture. */
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

function cellsOf({ of, name, counts, method, ...figure }: Figure): string[] {
  const observed = counts ? ` (${count(counts[0])} of ${count(counts[1])})` : "";
  return [name, of, `${valueText(figure)}${observed}`, rangeText(figure), method?.text ?? ""];
}

/** The works to cite, and this package with its version. */
const foot = (methods: readonly Method[]) => [
  ["References:", ...references(methods.flatMap(({ works }) => works))].join("\n"),
  `Computed with conformal_roc_widget ${version}.`,
];

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

/** Text as LaTeX has it, also a name of the user's. */
const latex = (text: string) =>
  text
    .replace(ESCAPED, (letter) => COMMANDS[letter] ?? `\\${letter}`)
    .replaceAll("π̃", "$\\tilde\\pi$")
    .replace(/[\u2212πα≤]/g, (sign) => SIGNS[sign])
    .replaceAll(" \\%", "~\\%");
