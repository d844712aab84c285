/** Bytes in a message as they are received: views that may start at an odd address. */
export function arrived(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(arrived);
  const fields = value as Record<string, unknown>;
  if (typeof fields.base64 !== "string") {
    return Object.fromEntries(Object.entries(fields).map(([name, item]) => [name, arrived(item)]));
  }
  const text = atob(fields.base64);
  const bytes = new Uint8Array(1 + text.length);
  for (let i = 0; i < text.length; i++) bytes[1 + i] = text.charCodeAt(i);
  return new DataView(bytes.buffer, 1);
}
