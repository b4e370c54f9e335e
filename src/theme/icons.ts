import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { closestNames } from '../common/index.js';

const ICON_NAME = /^mdi-[a-z0-9]+(?:-[a-z0-9]+){0,9}$/;
const ICON_CLASS = /^[a-zA-Z0-9 _-]{0,80}$/;
const FALLBACK = 'mdi-puzzle-outline';

let folder = '';
/** Resolved on first use: `svc-plugin` reads templates where the package is not installed. */
const iconFolder = (): string => (folder ||= join(dirname(createRequire(import.meta.url).resolve('@mdi/svg/package.json')), 'svg'));
const shapes = new Map<string, string | null>();

function shapeOf(name: string): string | null {
  let shape = shapes.get(name);
  if (shape === undefined) {
    shape = readShape(name);
    // Unknown names are not cached, because outsiders can send any number of them; known ones are a closed set.
    if (shape !== null) shapes.set(name, shape);
  }
  return shape;
}

function readShape(name: string): string | null {
  try {
    const svg = readFileSync(join(iconFolder(), `${name.slice('mdi-'.length)}.svg`), 'utf8');
    return / d="([^"<>]+)"/.exec(svg)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Returns whether `value` has the form of a Material Design icon name, such as `mdi-home`. */
export function isIconName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 64 && ICON_NAME.test(value);
}

/** Returns the outline of a Material Design icon in its 24 by 24 box, as the `d` of a `<path>`; null if it does not exist. */
export function iconPath(name: string): string | null {
  return isIconName(name) ? shapeOf(name) : null;
}

/** Returns icons that `name` may be a misspelling of, the closest first. Reads the list of all icons, so it is too slow for pages. */
export function closestIcons(name: string): string[] {
  return closestNames(
    name,
    readdirSync(iconFolder()).map((file) => `mdi-${file.replace(/\.svg$/, '')}`),
  );
}

/**
 * Returns the inline SVG of a Material Design icon in the current text colour. Safe HTML for any arguments:
 * malformed names and classes are ignored, an unknown icon becomes a puzzle piece.
 *
 * @example
 * ```ts
 * iconSvg('mdi-home', 'me-2');
 * ```
 */
export function iconSvg(name: unknown, className: unknown = ''): string {
  const shape = (typeof name === 'string' ? iconPath(name) : null) ?? shapeOf(FALLBACK) ?? '';
  const extra = typeof className === 'string' && ICON_CLASS.test(className) ? className : '';
  return (
    `<svg class="icon${extra ? ` ${extra}` : ''}" viewBox="0 0 24 24" fill="currentColor" ` +
    `stroke="none" aria-hidden="true" focusable="false"><path d="${shape}"/></svg>`
  );
}
