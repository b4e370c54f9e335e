export * from './app-config.js';
export * from './base-url.js';
export * from './config.module.js';
export { ConfigurationError } from './environment.js';
export type { StoreS3 } from './store-s3.js';
