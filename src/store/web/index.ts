import { StoreFiles } from './store-files.js';
import { StorePages } from './store-pages.js';

export { LeftOverController, PagesController } from './pages.controller.js';

/** What the pages need. */
export const STORE_WEB = [StoreFiles, StorePages];
