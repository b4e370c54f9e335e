import './texts.js';

export { authorKeyFinding } from './findings/author-key.js';
export { blockedFinding, joinFindings } from './findings/blocked-files.js';
export { findProblems, type FindingContext } from './findings/find-problems.js';
export { MAX_FINDINGS } from './findings/finding-collector.js';
export type { FindingSeverity, PackageFinding } from './findings/finding.js';
export { foldName, RESERVED_SLUGS, similarNames, type SimilarName } from './findings/similar-names.js';
export * from '../../packaging/index.js';
export { IncomingPackages, type ReceiveOptions } from './storage/incoming-packages.js';
export { LocalPackageStorage } from './storage/local-storage.js';
export { MovedPackageStorage } from './storage/moved-storage.js';
export { PackageStorage, type ByteRange, type DigestedFile, type StoredPackage, type SweepOptions } from './storage/package-storage.js';
export type { S3Options } from '../../common/index.js';
export { S3PackageStorage } from './storage/s3-storage.js';
export { StorageError, type StorageErrorCode } from '../../common/index.js';
