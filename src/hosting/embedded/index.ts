export * from './embedded-driver.js';
export { ArchiveFolder, EmbeddedBackups, FREE_SHARE, makeArchive, restoreArchive } from './backups/index.js';
export {
  EmbeddedFiles,
  isProtected,
  newName,
  packTo,
  partsOf,
  presentName,
  readZip,
  refuseInside,
  SiteArea,
  SiteAreas,
  spend,
  splitPath,
  KeyedMutex,
  unpackTo,
  uploadPlace,
} from './files/index.js';
export { SiteLogMaintenance, SiteLogFiles, SiteLogWriter } from './logs/index.js';
export * from './site-folders.js';
export { PLAIN_PAGE_POLICY, plainPage } from './plain-page.js';
export { EMBEDDED_PROVIDERS } from './providers.js';
