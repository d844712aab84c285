import { type Comparators, decodeComparators } from "../src/wire/decode_comparators.ts";
import { pictureOf } from "./picture.ts";
import { decoded, rawComparator, rawComparators } from "./sample.ts";

export { rawComparator };

export const comparatorsOf = (...items: object[]): Comparators =>
  decoded(decodeComparators(rawComparators({ items })));

/** The picture of the sample evaluation with comparators. */
export const compared = (...items: object[]) => pictureOf({ comparators: comparatorsOf(...items) });
