import './texts.js';

export { AccountSpace } from './account-space.js';
export { callerOf, hostOf } from './caller.js';
export { FileMaintenance } from './file-maintenance.js';
export { FILE_TASK } from './file-actions.js';
export { FileDownloadController } from './file-download.controller.js';
export { FileError, fileError } from './file-errors.js';
export { FileLinks } from './file-links.js';
export { FilePages } from './file.pages.js';
export { folderAndName, pathIn } from './file-names.js';
export { shownSize } from './shown-size.js';
export { type DownloadKind, type SiteDownload, SiteDownloads } from './site-downloads.js';
export { SiteFiles } from './site-files.js';
export { FILE_PROVIDERS } from './providers.js';
