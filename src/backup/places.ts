import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { makeFolders, MOST_AT_ONCE, readText, S3Client } from '../common/index.js';
import type { AppConfig, Bucket } from '../config/index.js';

import { BackupError } from './errors.js';

/** How long a service may take to answer once it has an archive of gigabytes, in milliseconds. */
const S3_PATIENCE_MS = 300_000;

/** Where finished backups are kept. */
export interface BackupPlace {
  readonly kind: 'folder' | 's3';
  /** In words. */
  readonly shown: string;
  /** Takes a finished file over: under its name it is there wholly or not at all. */
  keep(path: string, name: string): Promise<void>;
  /** @throws BackupError `FILE_GONE` */
  read(name: string): Promise<{ readonly content: Readable; readonly size: number }>;
  /** Nothing happens where there is none. */
  remove(name: string): Promise<void>;
}

/** The place the configuration names. */
export function placeOf(config: AppConfig): BackupPlace {
  return config.backupS3 ? new BucketPlace(config.backupS3) : new FolderPlace(config.backupDir);
}

class FolderPlace implements BackupPlace {
  readonly kind = 'folder';

  constructor(readonly shown: string) {}

  async keep(path: string, name: string): Promise<void> {
    makeFolders(this.shown, 0o700);
    await rename(path, join(this.shown, name));
    const folder = await open(this.shown);
    // The name too survives a power cut.
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

class BucketPlace implements BackupPlace {
  readonly kind = 's3';
  readonly shown: string;
  private readonly client: S3Client;

  constructor(bucket: Bucket) {
    this.shown = `${bucket.endpoint}/${bucket.bucket}/${bucket.prefix}`;
    this.client = new S3Client({ ...bucket, idleTimeoutMs: S3_PATIENCE_MS });
  }

  async keep(path: string, name: string): Promise<void> {
    const { size } = await stat(path);
    if (size > MOST_AT_ONCE) throw new BackupError('TOO_LARGE_FOR_BUCKET');
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
    const body = { open: () => createReadStream(path), size, sha256: hash.digest('hex') };
    const response = await this.client.call({ method: 'PUT', key: name, headers: { 'content-type': 'application/octet-stream' }, body });
    if (response.statusCode !== 200) throw await this.client.failure(response);
    await readText(response);
    await rm(path, { force: true });
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
    const response = await this.client.call({ method: 'DELETE', key: name });
    if (![200, 204, 404].includes(response.statusCode!)) throw await this.client.failure(response);
    response.resume();
  }
}
