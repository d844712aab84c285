// Tables of texts.

import { html, setText } from "./dom.ts";

export const columnHead = (text = "", attributes: Record<string, string | number> = {}) =>
  html("th", { scope: "col", ...attributes }, text);

export const rowHead = (...content: (Node | string)[]) => html("th", { scope: "row" }, ...content);

/** The first row is the head; equal cells stay as they are. */
export function fillTable(table: HTMLTableElement, [head, ...rows]: string[][]) {
  const section = table.tHead ?? table.createTHead();
  fill(section, [head], (text) => (text ? columnHead() : html("td")));
  fillBody(table.tBodies[0] ?? table.createTBody(), rows);
}

/** The first cell of a row is its head; others have the class of their column, if it has one. */
export function fillBody(
  body: HTMLTableSectionElement,
  rows: string[][],
  classes: Record<number, string> = {},
) {
  const looks = (k: number) => (classes[k] ? { class: classes[k] } : {});
  fill(body, rows, (_, k) => (k === 0 ? rowHead() : html("td", looks(k))));
}

function fill(
  section: HTMLTableSectionElement,
  rows: string[][],
  create: (text: string, column: number) => HTMLElement,
) {
  while (section.rows.length > rows.length) section.deleteRow(-1);
  rows.forEach((texts, i) => {
    const row = section.rows[i] ?? section.insertRow();
    while (row.cells.length > texts.length) row.deleteCell(-1);
    texts.forEach((text, k) => {
      if (!row.cells[k]) row.append(create(text, k));
      setText(row.cells[k], text);
    });
  });
}
