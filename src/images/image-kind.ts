/** Supported image formats; also the extension of their names. */
export type ImageKind = 'jpg' | 'png' | 'gif' | 'webp';

/** Detects the format by the first bytes, whatever the name says; null for anything else, including SVG. */
export function imageKind(bytes: Buffer): ImageKind | null {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return /^RIFF[^]{4}WEBP/.test(start) ? 'webp' : null;
}
