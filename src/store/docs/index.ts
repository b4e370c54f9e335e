export { DocsController } from './docs.controller.js';
export { envelopeOf, openApi } from './open-api.js';
export { StoreRoutes, type StoreRoute } from './store-routes.js';
