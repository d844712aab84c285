// Parses the colours that a browser computes, mixes them, and computes their luminance.

export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

export const WHITE: Colour = [255, 255, 255, 1];
export const NONE: Colour = [0, 0, 0, 0];

/** Parses a colour as a browser computes it. Returns null if the browser does not write it as red, green and blue. */
export function colourFrom(text: string): Colour | null {
  const isShare = text.startsWith("color(srgb ");
  if (!isShare && !text.startsWith("rgb")) return null;
  const [red, green, blue, alpha = 1] = (text.match(/[-+.\d]+(?:e[-+]?\d+)?/g) ?? []).map(Number);
  const unit = isShare ? 255 : 1;
  return [unit * red, unit * green, unit * blue, alpha];
}

/**
 * Returns the colour that is seen if the first colour lies over the second. The first colour and the result have
 * premultiplied alpha: their red, green and blue are already multiplied by alpha.
 */
export function laidOver([r, g, b, a]: Colour, [red, green, blue, alpha]: Colour): Colour {
  const share = (1 - a) * alpha;
  return [r + share * red, g + share * green, b + share * blue, a + share];
}

/** Relative luminance as WCAG defines it. */
export function luminance([red, green, blue]: Colour): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
