export type { OpenApiDocument, Operation, Response } from './document.js';
export { docsView } from './docs-view.js';
export { DocsController } from './docs.controller.js';
export { StoreDescription } from './store-description.js';
