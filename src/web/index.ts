export { NodeApiEntry } from './node-api-entry.js';
export { WebModule } from './web.module.js';
