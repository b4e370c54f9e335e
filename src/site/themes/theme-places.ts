/** Page to choose themes: always in the default theme, so that a broken theme can be switched off. */
export const THEMES_PAGE = '/admin/themes';
/** Page of a theme's settings, also always in the default theme. */
export const SETTINGS_PAGE = '/admin/theme';
/** Page of a theme's scripts, also always in the default theme. */
export const SCRIPTS_PAGE = '/admin/theme-scripts';
