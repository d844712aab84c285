// Where captions stood in the last drawing: they keep their places while these are legal, or a hand holds a control.

import { type Box, grow, type Square } from "./geometry.ts";
import { type Caption, heldText, isLegal, type Place, type Spot, textOf } from "./place_captions.ts";
import { boxesOf, type PlacedText, type Scene, WORD_SPACING } from "./text_boxes.ts";

/** A caption by a name that it has in all drawings. */
export interface NamedCaption {
  name: string;
  caption: Caption;
  place: Place;
}

export interface CaptionPlaces {
  /** The texts that stay where they are, of those that keep clear of `words`. */
  kept(captions: NamedCaption[], scene: Scene, words: Box[]): Map<string, PlacedText>;
  /** A place for a caption that has none; null where there is none, or while a hand holds something and there was none. */
  placed(caption: NamedCaption, scene: Scene, words: Box[]): PlacedText | null;
  /** To be called before a drawing. */
  begin(square: Square, isHeld: boolean): void;
  forget(): void;
}

export function createCaptionPlaces(): CaptionPlaces {
  const spots = new Map<string, Spot | null>();
  let drawn: Square | null = null;
  let isHeld = false;

  return {
    begin(square, held) {
      if (drawn !== square) spots.clear();
      drawn = square;
      isHeld = held;
    },
    forget: () => spots.clear(),
    kept(captions, scene, words) {
      const texts = new Map<string, PlacedText>();
      for (const { name, caption } of captions) {
        const spot = spots.get(name);
        if (!spot || texts.has(name)) continue;
        const around = [...words, ...boxesOf([...texts.values()])].map((box) => grow(box, WORD_SPACING));
        if (isHeld) texts.set(name, heldText(caption, spot, scene));
        else if (isLegal(caption, spot, scene, around)) texts.set(name, textOf(caption, spot, scene));
      }
      return texts;
    },
    placed({ name, caption, place }, scene, words) {
      if (isHeld && spots.has(name)) return null;
      const spot = place(caption, scene, words);
      spots.set(name, spot);
      return spot && textOf(caption, spot, scene);
    },
  };
}
