import './texts.js';

export * from './site.module.js';
export * from './site-forms.js';
export { SiteConfig } from './entities/index.js';
export { HomePage } from './home-page.js';
export { LOGOS_PATH, SiteLogos } from './site-logos.js';
export * from './site-settings.js';
export {
  pictureAddress,
  type ThemeBetaChoice,
  THEME_PICTURES_PATH,
  ThemeChoice,
  themeOf,
  ThemePictures,
  ThemeScriptGrants,
  ThemeSettings,
  ThemeUpdates,
} from './themes/index.js';
export { checkSecretKey, isSecretOf, renewSecretCheck } from './secret-check.js';
