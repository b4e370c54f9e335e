/** Sides of the panel that have their own views. */
export const THEME_SIDES = ['admin', 'user', 'home', 'pay'] as const;

/** One of {@link THEME_SIDES}. */
export type ThemeSide = (typeof THEME_SIDES)[number];

/** Folder of views that belong to a service itself and cannot be themed. See `OwnViews`. */
export const OWN_SIDE = 'own';

/** Sides that templates are rendered for. */
export type ViewSide = ThemeSide | typeof OWN_SIDE;

/** Folder of partials and layouts shared by all sides. */
export const SHARED_FOLDER = 'shared';

const NAME = /^[a-z0-9_-]{1,64}$/;
const THEME_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Path of a template within a theme: `admin/index`, `shared/head`. */
export type TemplatePath = `${ViewSide | typeof SHARED_FOLDER}/${string}`;

/** Returns whether `value` is a valid theme name, which is also the name of its folder. */
export function isThemeName(value: unknown): value is string {
  return typeof value === 'string' && THEME_NAME.test(value);
}

/** Returns whether `value` is one of {@link THEME_SIDES}. */
export function isThemeSide(value: unknown): value is ThemeSide {
  return THEME_SIDES.includes(value as ThemeSide);
}

/** A parsed view or partial name: the folder, if any, and the name itself. */
export interface ViewName {
  folder: ThemeSide | typeof SHARED_FOLDER | null;
  name: string;
}

/**
 * Parses a view name of the form `/^[a-z0-9_-]{1,64}$/`, optionally preceded by one `side/`.
 *
 * @returns null for everything else: paths, suffixes, dots, upper case, other types
 */
export function parseViewName(value: unknown): ViewName | null {
  if (typeof value !== 'string' || value.length > 80) return null;
  const parts = value.split('/');
  const name = parts.pop()!;
  if (parts.length > 1 || !NAME.test(name)) return null;
  if (parts.length === 0) return { folder: null, name };
  const folder = parts[0]!;
  return isThemeSide(folder) || folder === SHARED_FOLDER ? { folder, name } : null;
}
