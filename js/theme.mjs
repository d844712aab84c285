// The page's colours as a style sheet, from the file that has those of the pictures too.

/** Of what has colours by name and by label, each under the name that the sheets have for it. */
function inksOf({
  background,
  ink,
  muted,
  axis,
  hairline,
  grid,
  warn,
  labels,
  label_texts,
  models,
  comparators,
}) {
  return {
    ...{ ink, muted, axis, hairline, grid, warn },
    // The host's own ground, where letters can be read on it.
    paper: `var(--crw-ground, ${background})`,
    ...Object.fromEntries(labels.map((colour, k) => [`label${k}`, colour])),
    ...Object.fromEntries(label_texts.map((colour, k) => [`label${k}-text`, colour])),
    // The first of several is ink, and each that is looked at.
    ...Object.fromEntries(models.slice(1, 3).map((colour, k) => [`model${k + 1}`, colour])),
    ...Object.fromEntries(Object.entries(comparators).map(([key, colour]) => [`comparator-${key}`, colour])),
  };
}

const rule = (selector, values) =>
  `${selector} {${Object.entries(values)
    .map(([name, value]) => `--crw-${name}: ${value};`)
    .join("")}}`;

const blockOf = (theme) => ({ ...inksOf(theme), fill: `${100 * theme.fill}%`, faint: theme.faint });

/** Words about a comparator have its colour. */
const comparatorRule = (selector, key) =>
  rule(`.crw ${selector}`, { comparator: `var(--crw-comparator-${key})` });

export function themeSheet({ light, dark }) {
  const system = Object.fromEntries(Object.keys(inksOf(light)).map((name) => [name, "CanvasText"]));
  return [
    rule(".crw", blockOf(light)),
    rule('.crw[data-theme="dark"]', blockOf(dark)),
    // One without an entry has that of "other".
    comparatorRule('[class*="crw-text-comparator-"]', "other"),
    ...Object.keys(light.comparators).map((key) => comparatorRule(`.crw-text-comparator-${key}`, key)),
    `@media (forced-colors: active) {`,
    rule(".crw[data-theme]", { ...system, grid: "transparent", paper: "Canvas" }),
    "}",
  ].join("\n");
}
