import './texts.js';

export { AccountSpace } from './account-space.js';
export { callerOf, hostOf } from './caller.js';
export { FileCare, TRASH_DAYS, UPLOAD_DAYS } from './file-care.js';
export { fileChangeOperations } from './file-change.operations.js';
export { fileDeedOperations } from './file-deed.operations.js';
export { FileDeeds } from './file-deeds.js';
export { FileDownloadController } from './file-download.controller.js';
export { FileError, fileError } from './file-errors.js';
export { FileLinks, type LinkedFile } from './file-links.js';
export { FilePages } from './file.pages.js';
export { FileRows } from './file-rows.js';
export { folderAndName, pathIn } from './file-names.js';
export { fileUploadOperations } from './file-upload.operations.js';
export { fileViewOperations } from './file-view.operations.js';
export { shownSize } from './shown-size.js';
export { type DownloadKind, type SiteDownload, SiteDownloads } from './site-downloads.js';
export { SiteFiles } from './site-files.js';
