export * from './app-config.js';
export * from './config.module.js';
export { ConfigurationError } from './environment.js';
