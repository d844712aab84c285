// Adds texts to a PNG file.

/**
 * Returns the PNG with a text added, which image programs and Pillow can read. The text is an iTXt chunk after the
 * header.
 */
export function withText(png: Uint8Array, keyword: string, text: string): Uint8Array<ArrayBuffer> {
  const utf8 = new TextEncoder();
  const body = [...utf8.encode(`iTXt${keyword}`), 0, 0, 0, 0, 0, ...utf8.encode(text)];
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, crc32(body));
  const result = new Uint8Array(png.length + chunk.length);
  result.set(png.subarray(0, AFTER_HEADER));
  result.set(chunk, AFTER_HEADER);
  result.set(png.subarray(AFTER_HEADER), AFTER_HEADER + chunk.length);
  return result;
}

/** The signature (8 bytes) and the header chunk (25 bytes) end here. */
const AFTER_HEADER = 33;

function crc32(bytes: number[]): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
