export { readText } from './exchange.js';
export { downloadFrom, MOST_AT_ONCE, type TransferOptions, uploadTo, uploadUntilThere } from './presigned.js';
export { type KeptPart, partSizeOf, S3Parts } from './s3-parts.js';
export { S3Client, type S3Body, type S3Call, type S3Options } from './s3-client.js';
export { StorageError, type StorageErrorCode } from './storage-error.js';
export { textsOf } from './xml-texts.js';
