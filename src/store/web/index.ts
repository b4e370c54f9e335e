import { StoreFiles } from './store-files.js';
import { StorePages } from './store-pages.js';

export { FallbackController, PagesController } from './pages.controller.js';
export { StorePages };

/** What the pages need. */
export const STORE_WEB = [StoreFiles, StorePages];
