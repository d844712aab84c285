// Makes tables of texts.

import { html, unbroken } from "./template.ts";

/** Returns the rows of a table. The first row and the first cell of each other row are headings. */
export const tableRows = ([columns, ...rows]: string[][]) => html`
  <thead><tr>${columns.map((text) => (text ? html`<th scope="col">${unbroken(text)}</th>` : html`<td></td>`))}</tr></thead>
  <tbody>${rows.map(
    ([name, ...cells]) => html`<tr>
      <th scope="row">${unbroken(name)}</th>
      ${cells.map((text) => html`<td>${unbroken(text)}</td>`)}
    </tr>`,
  )}</tbody>`;
