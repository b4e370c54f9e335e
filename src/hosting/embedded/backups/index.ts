export { ArchiveFolder, FREE_SHARE } from './archive-folder.js';
export { EmbeddedBackups } from './embedded-backups.js';
export { makeArchive } from './made-archive.js';
export { restoreArchive } from './restored-site.js';
