export * from './site.module.js';
export * from './site-settings.js';
