import type { ThemeSide } from '../../theme/index.js';

/** Text keys of the sides on theme pages. */
export const SIDE_TITLES: Readonly<Record<ThemeSide, string>> = {
  admin: 'themes.side_admin',
  user: 'themes.side_user',
  home: 'themes.side_home',
  pay: 'themes.side_pay',
};
