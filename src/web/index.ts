export { NodeApiEntry } from './node-api-entry.js';
export { Readiness } from './readiness.js';
export { WebModule } from './web.module.js';
