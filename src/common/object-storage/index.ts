export { readText } from './exchange.js';
export { downloadFrom, MAX_REQUEST_BYTES, uploadTo, uploadWithRetries } from './presigned.js';
export { partSizeOf, S3Parts } from './s3-parts.js';
export { S3Client, type S3Options } from './s3-client.js';
export { StorageError } from './storage-error.js';
export { textsOf } from './xml-texts.js';
