/** The page themes are chosen on: always in the default theme, so that one that hides the way back can be left again. */
export const THEMES_PAGE = '/admin/themes';
/** The page of the settings of one: in the default theme likewise. */
export const SETTINGS_PAGE = '/admin/theme';
/** The page of its scripts: in the default theme likewise. */
export const SCRIPTS_PAGE = '/admin/theme-scripts';
