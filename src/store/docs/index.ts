export type { Content, OpenApiDocument, Operation, Response } from './document.js';
export { DocsController } from './docs.controller.js';
export { StoreDescription } from './store-description.js';
