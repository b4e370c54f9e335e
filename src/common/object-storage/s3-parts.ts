import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

import { errorSummary, readText } from './exchange.js';
import { TRANSFER_TIMEOUT_MS } from './presigned.js';
import type { S3Call, S3Client } from './s3-client.js';
import { StorageError } from './storage-error.js';
import { textsOf } from './xml-texts.js';

/** Maximum number of parts of an object. */
const MAX_PARTS = 10_000;
const MB = 1024 * 1024;

/** An uploaded part. */
export interface UploadedPart {
  readonly etag: string;
  readonly size: number;
}

/** Returns the part size in bytes for an object of `size` bytes: `defaultSize`, or more if that would make too many parts. */
export function partSizeOf(size: number, defaultSize: number): number {
  const minSize = Math.ceil(size / MAX_PARTS);
  return minSize <= defaultSize ? defaultSize : Math.ceil(minSize / MB) * MB;
}

/**
 * Multipart uploads (https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html): for objects larger than one request
 * accepts, sent by any holder of the part URLs. Unfinished uploads are listed from the storage, so that none is lost when a process
 * crashes.
 */
export class S3Parts {
  constructor(private readonly client: S3Client) {}

  /** Starts an upload. @returns its id @throws StorageError REFUSED, UNAVAILABLE, like every method here */
  async begin(key: string): Promise<string> {
    const text = await this.ask({ method: 'POST', key, query: { uploads: '' } });
    const [id] = textsOf(text, 'UploadId');
    if (!id) throw new StorageError('UNAVAILABLE', 'the response has no upload id');
    return id;
  }

  /** Returns the ids of an object's unfinished uploads; empty if the storage does not support multipart uploads. */
  async unfinished(key: string): Promise<string[]> {
    try {
      return await this.list(key);
    } catch (error) {
      if (error instanceof StorageError && /^HTTP (?:404|405|501)/.test(error.message)) return [];
      throw error;
    }
  }

  /** Returns the uploaded parts, by number. */
  async arrived(key: string, uploadId: string): Promise<Map<number, UploadedPart>> {
    const parts = new Map<number, UploadedPart>();
    let marker: Record<string, string> = {};
    for (;;) {
      const text = await this.ask({ method: 'GET', key, query: { uploadId, ...marker } });
      for (const part of text.split('<Part>').slice(1)) {
        const [[number], [etag], [size]] = [textsOf(part, 'PartNumber'), textsOf(part, 'ETag'), textsOf(part, 'Size')];
        if (number && etag && size) parts.set(Number(number), { etag, size: Number(size) });
      }
      const [next] = textsOf(text, 'NextPartNumberMarker');
      if (textsOf(text, 'IsTruncated')[0] !== 'true' || !next) return parts;
      marker = { 'part-number-marker': next };
    }
  }

  /** Returns the URL that accepts one part; see {@link S3Client.presign}. */
  address(key: string, uploadId: string, number: number, seconds: number): string {
    return this.client.presign('PUT', key, seconds, { partNumber: String(number), uploadId });
  }

  /** Assembles the object from its parts and ends the upload. */
  async complete(key: string, uploadId: string, parts: ReadonlyMap<number, UploadedPart>): Promise<void> {
    const list = [...parts].sort(([one], [other]) => one - other).map(partXml);
    const content = Buffer.from(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${list.join('')}</CompleteMultipartUpload>`,
    );
    const body = { open: () => Readable.from([content]), size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    const text = await this.ask({ method: 'POST', key, query: { uploadId }, body, idleTimeoutMs: TRANSFER_TIMEOUT_MS });
    // A storage that takes long sends status 200 before it knows the outcome; the body may still contain an error.
    const [code] = textsOf(text, 'Code');
    if (text.includes('<Error>')) throw new StorageError(code === 'NoSuchUpload' ? 'NOT_FOUND' : 'REFUSED', code ?? 'no reason');
  }

  /** Aborts an upload and deletes its parts; succeeds if it no longer exists. */
  async abort(key: string, uploadId: string): Promise<void> {
    await this.ask({ method: 'DELETE', key, query: { uploadId } }).catch((error: unknown) => {
      if (!(error instanceof StorageError) || error.code !== 'NOT_FOUND') throw error;
    });
  }

  private async list(key: string): Promise<string[]> {
    const found: string[] = [];
    const name = this.client.fullKey(key);
    let marker: Record<string, string> = {};
    for (;;) {
      const text = await this.ask({ method: 'GET', key: '', query: { uploads: '', prefix: name, ...marker } });
      for (const upload of text.split('<Upload>').slice(1)) {
        const [[of], [id]] = [textsOf(upload, 'Key'), textsOf(upload, 'UploadId')];
        if (of === name && id) found.push(id);
      }
      const [[nextKey], [nextId]] = [textsOf(text, 'NextKeyMarker'), textsOf(text, 'NextUploadIdMarker')];
      if (textsOf(text, 'IsTruncated')[0] !== 'true' || !nextKey) return found;
      marker = { 'key-marker': nextKey, ...(nextId ? { 'upload-id-marker': nextId } : {}) };
    }
  }

  private async ask(call: S3Call): Promise<string> {
    const response = await this.client.call(call);
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299) throw await refusalOf(response);
    return readText(response);
  }
}

async function refusalOf(response: IncomingMessage): Promise<StorageError> {
  return new StorageError(response.statusCode === 404 ? 'NOT_FOUND' : 'REFUSED', await errorSummary(response));
}

const partXml = ([number, { etag }]: readonly [number, UploadedPart]): string =>
  `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replace(/[&<>]/g, '')}</ETag></Part>`;
