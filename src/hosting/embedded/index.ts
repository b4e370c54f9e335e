export * from './embedded-driver.js';
export { EmbeddedTraffic } from './embedded-traffic.js';
export { EmbeddedFiles } from './files/index.js';
export * from './site-folders.js';
export { PLAIN_PAGE_POLICY, plainPage } from './plain-page.js';
