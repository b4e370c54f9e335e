/** Luminance above which dark text is more readable than white. From WCAG 2.2: there both have the same contrast. */
const LIGHT = 0.179;
const DARK_INK = '#182433';
const LIGHT_INK = '#ffffff';

/** Parses `#rrggbb` into red, green and blue, each from 0 to 255; null for anything else. */
export function rgbOf(colour: unknown): [red: number, green: number, blue: number] | null {
  const parts = typeof colour === 'string' ? /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour) : null;
  return parts && (parts.slice(1).map((part) => Number.parseInt(part, 16)) as [number, number, number]);
}

/** Returns a readable text colour for a background; white for an invalid colour. */
export function inkOn(colour: unknown): string {
  const rgb = rgbOf(colour);
  return rgb && lightness(rgb) > LIGHT ? DARK_INK : LIGHT_INK;
}

/** Relative luminance, 0 to 1. Source: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function lightness(rgb: readonly number[]): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
