import './texts.js';

export { authorKeyFinding } from './findings/author-key.js';
export { blockedFinding, joinFindings } from './findings/blocked-files.js';
export { findProblems } from './findings/find-problems.js';
export { MAX_FINDINGS } from './findings/finding-collector.js';
export type { PackageFinding } from './findings/finding.js';
export { foldName } from './findings/similar-names.js';
export * from '../../packaging/index.js';
export { IncomingPackages } from './storage/incoming-packages.js';
export { LocalPackageStorage } from './storage/local-storage.js';
export { MovedPackageStorage } from './storage/moved-storage.js';
export { PackageStorage, type DigestedFile } from './storage/package-storage.js';
export { S3PackageStorage } from './storage/s3-storage.js';
export { StorageError } from '../../common/index.js';
