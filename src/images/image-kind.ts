/** Kinds of pictures that are taken; also the suffix of their names. */
export type ImageKind = 'jpg' | 'png' | 'gif' | 'webp';

/** What a picture is by its first bytes, whatever its name says; null for anything else, SVG among it. */
export function imageKind(bytes: Buffer): ImageKind | null {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return /^RIFF[^]{4}WEBP/.test(start) ? 'webp' : null;
}
