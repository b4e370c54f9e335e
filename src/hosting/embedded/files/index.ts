export { EmbeddedFiles } from './embedded-files.js';
