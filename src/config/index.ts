export * from './app-config.js';
export * from './base-url.js';
export * from './config.module.js';
export { ConfigurationError } from './environment.js';
export type { Bucket } from './bucket.js';
export * from './secrets/index.js';
export { ZonedClock } from './zoned-clock.js';
