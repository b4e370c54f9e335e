export { EmbeddedBackups } from './embedded-backups.js';
