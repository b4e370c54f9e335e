import { AccountSpace } from './account-space.js';
import { FileMaintenance } from './file-maintenance.js';
import { fileChangeOperations } from './file-change.operations.js';
import { fileActionOperations } from './file-action.operations.js';
import { FileActions } from './file-actions.js';
import { FileLinks } from './file-links.js';
import { FileRows } from './file-rows.js';
import { fileUploadOperations } from './file-upload.operations.js';
import { fileViewOperations } from './file-view.operations.js';
import { SiteDownloads } from './site-downloads.js';
import { SiteFiles } from './site-files.js';

/** Files of sites: reading, changing, uploads and downloads. */
export const FILE_PROVIDERS = [
  AccountSpace,
  FileMaintenance,
  FileActions,
  FileLinks,
  FileRows,
  SiteDownloads,
  SiteFiles,
  ...fileChangeOperations,
  ...fileActionOperations,
  ...fileUploadOperations,
  ...fileViewOperations,
];
