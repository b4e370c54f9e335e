/** A side of the panel that has views of its own. */
export const THEME_SIDES = ['admin', 'user', 'home', 'pay'] as const;

/** One of {@link THEME_SIDES}. */
export type ThemeSide = (typeof THEME_SIDES)[number];

/** Folder of views that belong to a service itself: no theme has them, and none changes them. See `OwnViews`. */
export const OWN_SIDE = 'own';

/** What a template is rendered for. */
export type ViewSide = ThemeSide | typeof OWN_SIDE;

/** Folder of a theme whose partials and layouts every side may use. */
export const SHARED_FOLDER = 'shared';

const NAME = /^[a-z0-9_-]{1,64}$/;
const THEME_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A template's place inside a theme: `admin/index`, `shared/head`. */
export type TemplatePath = `${ViewSide | typeof SHARED_FOLDER}/${string}`;

/** Whether `value` may name a theme; it is also the name of the theme's folder. */
export function isThemeName(value: unknown): value is string {
  return typeof value === 'string' && THEME_NAME.test(value);
}

/** Whether `value` is one of {@link THEME_SIDES}. */
export function isThemeSide(value: unknown): value is ThemeSide {
  return THEME_SIDES.includes(value as ThemeSide);
}

/** What a view or partial name says: the folder it names, if any, and the name itself. */
export interface ViewName {
  folder: ThemeSide | typeof SHARED_FOLDER | null;
  name: string;
}

/**
 * Reads a view name from the closed set `/^[a-z0-9_-]{1,64}$/`, optionally behind one `side/`.
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
