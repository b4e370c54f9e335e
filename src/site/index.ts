export * from './site.module.js';
export { LOGOS_PATH, SiteLogos } from './site-logos.js';
export * from './site-settings.js';
