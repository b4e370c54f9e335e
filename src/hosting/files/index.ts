export { FileError } from './file-errors.js';
export { FileViewOperations } from './file-view.operations.js';
export { SiteFiles } from './site-files.js';
