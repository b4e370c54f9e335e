export { Readiness } from './readiness.js';
export { WebModule } from './web.module.js';
