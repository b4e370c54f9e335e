export { pictureAddress, THEME_PICTURES_PATH, ThemePictures } from './theme-pictures.js';
export { ThemeSettings } from './theme-settings.js';
export { ThemeSettingsOperations } from './theme-settings.operations.js';
export { ThemeSettingsPages } from './theme-settings.pages.js';
