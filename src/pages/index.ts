export { ExternalApiEntry } from './external-api-entry.js';
export { NodeApiEntry } from './node-api-entry.js';
export { RouteEntry } from './route-entry.js';
export { PagesModule } from './pages.module.js';
