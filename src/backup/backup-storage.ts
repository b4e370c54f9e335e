import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { makeFolders, partSizeOf, readText, S3Client, S3Parts, StorageError, uploadWithRetries } from '../common/index.js';
import type { AppConfig, Bucket } from '../config/index.js';

import { BackupError } from './errors.js';

/** How long an S3 service may take to respond after receiving gigabytes, in milliseconds. */
const S3_PATIENCE_MS = 300_000;
/** Validity of a presigned part URL, in seconds. */
const PART_SECONDS = 3_600;

/** Storage of finished backups. */
export interface BackupStorage {
  readonly kind: 'folder' | 's3';
  /** Display name. */
  readonly shown: string;
  /** Moves a finished file into the storage, atomically under its name. */
  store(path: string, name: string, signal: AbortSignal): Promise<void>;
  /** Opens a stored backup. @throws BackupError `FILE_GONE` */
  read(name: string): Promise<{ readonly content: Readable; readonly size: number }>;
  /** Removes a backup, or the uploaded part of an unfinished one, if it exists. */
  remove(name: string): Promise<void>;
}

/** Returns the configured storage. */
export function storageOf(config: AppConfig): BackupStorage {
  return config.backupS3 ? new BucketStorage(config.backupS3, config.backupS3Part) : new FolderStorage(config.backupDir);
}

class FolderStorage implements BackupStorage {
  readonly kind = 'folder';

  constructor(readonly shown: string) {}

  async store(path: string, name: string): Promise<void> {
    makeFolders(this.shown, 0o700);
    await rename(path, join(this.shown, name));
    const folder = await open(this.shown);
    // Makes the rename survive a power failure.
    await folder.sync().finally(() => folder.close());
  }

  async read(name: string): Promise<{ content: Readable; size: number }> {
    const path = join(this.shown, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) throw new BackupError('FILE_GONE');
    return { content: createReadStream(path), size: found.size };
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.shown, name), { force: true });
  }
}

class BucketStorage implements BackupStorage {
  readonly kind = 's3';
  readonly shown: string;
  private readonly client: S3Client;
  private readonly parts: S3Parts;

  /** @param usualPart part size in bytes for large archives */
  constructor(
    bucket: Bucket,
    private readonly usualPart: number,
  ) {
    this.shown = `${bucket.endpoint}/${bucket.bucket}/${bucket.prefix}`;
    this.client = new S3Client({ ...bucket, idleTimeoutMs: S3_PATIENCE_MS });
    this.parts = new S3Parts(this.client);
  }

  async store(path: string, name: string, signal: AbortSignal): Promise<void> {
    const { size } = await stat(path);
    await (size > 4 * this.usualPart ? this.sendParts(path, name, size, signal) : this.sendWhole(path, name, size));
    await rm(path, { force: true });
  }

  private async sendWhole(path: string, name: string, size: number): Promise<void> {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
    const body = { open: () => createReadStream(path), size, sha256: hash.digest('hex') };
    const response = await this.client.call({ method: 'PUT', key: name, headers: { 'content-type': 'application/octet-stream' }, body });
    if (response.statusCode !== 200) throw await this.client.failure(response);
    await readText(response);
  }

  /** Uploads parts one after another and completes the object; removes everything on failure. */
  private async sendParts(path: string, name: string, size: number, signal: AbortSignal): Promise<void> {
    const uploadId = await this.parts.begin(name);
    try {
      const partSize = partSizeOf(size, this.usualPart);
      for (let from = 0; from < size; from += partSize) {
        const end = Math.min(from + partSize, size);
        const url = this.parts.address(name, uploadId, from / partSize + 1, PART_SECONDS);
        await uploadWithRetries(url, { open: () => createReadStream(path, { start: from, end: end - 1 }), size: end - from }, { signal });
      }
      const arrived = await this.parts.arrived(name, uploadId);
      const bytes = [...arrived.values()].reduce((sum, part) => sum + part.size, 0);
      if (bytes !== size) throw new StorageError('UNAVAILABLE', `${bytes} of ${size} bytes arrived`);
      await this.parts.complete(name, uploadId, arrived);
    } catch (error) {
      await this.remove(name).catch(() => undefined);
      throw error;
    }
  }

  async read(name: string): Promise<{ content: Readable; size: number }> {
    const response = await this.client.call({ method: 'GET', key: name });
    if (response.statusCode === 404) {
      response.resume();
      throw new BackupError('FILE_GONE');
    }
    if (response.statusCode !== 200) throw await this.client.failure(response);
    return { content: response, size: Number(response.headers['content-length']) };
  }

  async remove(name: string): Promise<void> {
    for (const uploadId of await this.parts.unfinished(name)) await this.parts.abort(name, uploadId);
    const response = await this.client.call({ method: 'DELETE', key: name });
    if (![200, 204, 404].includes(response.statusCode!)) throw await this.client.failure(response);
    response.resume();
  }
}
