export * from './embedded-driver.js';
export * from './site-folders.js';
