export { DocsController } from './docs.controller.js';
export { envelopeOf, openApi, type Content, type OpenApiDocument, type Operation, type Response } from './open-api.js';
export { StoreRoutes, type StoreRoute } from './store-routes.js';
