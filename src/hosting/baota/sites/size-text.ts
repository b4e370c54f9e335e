const UNITS: Readonly<Record<string, number>> = { k: 1_024, m: 1_024 ** 2, g: 1_024 ** 3, t: 1_024 ** 4 };

/** Parses a size as the panel writes it, such as `1.50MB`, into bytes. */
export function readBytes(text: string): number {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?b?)?\s*$/i.exec(text) ?? [];
  return Math.round(Number(number ?? 0) * (UNITS[(unit ?? '').toLowerCase().replace('b', '')] ?? 1));
}
