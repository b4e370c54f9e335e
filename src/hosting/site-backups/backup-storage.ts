import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { downloadFrom, readText, S3Client, S3Parts, StorageError, uploadTo } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { OpenedArchive } from '../driver/index.js';

import { SiteBackupError } from './backup-errors.js';

/** Validity of URLs given to servers, in seconds. Long, because the archive is created before it is sent. */
const ADDRESS_SECONDS = 6 * 3_600;

/**
 * Storage of site backups, if enabled: the bucket of the installation's own backups (`BACKUP_S3_…`), below `site-backups/`. Servers get
 * temporary presigned URLs, never the keys.
 */
@Injectable()
export class SiteBackupStorage {
  private readonly client: S3Client | null;
  private readonly uploads: S3Parts | null;
  /** Larger archives are sent in parts, so that a broken connection or a killed process costs only one of them. In bytes. */
  readonly partedAbove: number;
  /** Bytes of a part, unless that would result in too many parts. */
  readonly usualPart: number;
  /** Display name; null if no storage is configured. */
  readonly shown: string | null;

  constructor({ backupS3, backupS3Part }: AppConfig) {
    this.usualPart = backupS3Part;
    this.partedAbove = 4 * backupS3Part;
    const prefix = `${backupS3?.prefix ?? ''}site-backups/`;
    this.client = backupS3 && new S3Client({ ...backupS3, prefix });
    this.uploads = this.client && new S3Parts(this.client);
    this.shown = backupS3 && `${backupS3.endpoint}/${backupS3.bucket}/${prefix}`;
  }

  /** Returns a URL to upload or download an archive. @throws SiteBackupError NO_BUCKET */
  address(method: 'GET' | 'PUT', name: string): string {
    return this.bucket.presign(method, name, ADDRESS_SECONDS);
  }

  /**
   * Opens an archive for download; the caller must close the stream.
   *
   * @throws SiteBackupError NO_BUCKET, BACKUP_GONE, STORAGE_REFUSED, STORAGE_SILENT
   */
  async open(name: string, from: number): Promise<OpenedArchive> {
    const response = await withBackupErrors(() => downloadFrom(this.address('GET', name), { signal: new AbortController().signal }, from));
    const begins = response.statusCode === 206 ? from : 0;
    return { size: begins + Number(response.headers['content-length']), from: begins, content: response };
  }

  /** Returns a URL to upload one part of an archive. @throws SiteBackupError NO_BUCKET */
  partAddress(name: string, uploadId: string, number: number): string {
    return this.parts.address(name, uploadId, number, ADDRESS_SECONDS);
  }

  /** Client for multipart uploads, which throws the storage's errors. @throws SiteBackupError NO_BUCKET */
  get parts(): S3Parts {
    if (!this.uploads) throw new SiteBackupError('NO_BUCKET');
    return this.uploads;
  }

  /** Returns the bytes of an archive; null if it does not exist. @throws SiteBackupError NO_BUCKET, STORAGE_REFUSED, STORAGE_SILENT */
  async size(name: string): Promise<number | null> {
    const response = await withBackupErrors(() => this.bucket.call({ method: 'HEAD', key: name }));
    response.resume();
    if (response.statusCode === 404) return null;
    if (response.statusCode !== 200) throw new SiteBackupError('STORAGE_REFUSED', { answer: `HTTP ${response.statusCode}` });
    return Number(response.headers['content-length']);
  }

  /** Aborts unfinished multipart uploads of an archive. @throws as {@link size} */
  async removeParts(name: string): Promise<void> {
    const { parts } = this;
    await withBackupErrors(async () => {
      for (const uploadId of await parts.unfinished(name)) await parts.abort(name, uploadId);
    });
  }

  /** Removes an archive, if it exists. @throws as {@link size} */
  async remove(name: string): Promise<void> {
    const response = await withBackupErrors(() => this.bucket.call({ method: 'DELETE', key: name }));
    const { statusCode = 0 } = response;
    if (statusCode >= 300 && statusCode !== 404)
      throw new SiteBackupError('STORAGE_REFUSED', { answer: (await this.bucket.failure(response)).message });
    await readText(response).catch(() => undefined);
  }

  /**
   * Uploads, downloads and removes a test object like a server would.
   *
   * @throws as {@link open}, BACKUP_DAMAGED if the content differs
   */
  async check(name: string, signal: AbortSignal): Promise<void> {
    const sent = Buffer.from(name);
    await withBackupErrors(() =>
      uploadTo(this.address('PUT', name), { open: () => Readable.from([sent]), size: sent.length }, { signal, idleTimeoutMs: 10_000 }),
    );
    const response = await withBackupErrors(() => downloadFrom(this.address('GET', name), { signal, idleTimeoutMs: 10_000 }));
    const got = await withBackupErrors(() => readText(response));
    if (got !== name) throw new SiteBackupError('BACKUP_DAMAGED');
    await this.remove(name);
  }

  private get bucket(): S3Client {
    if (!this.client) throw new SiteBackupError('NO_BUCKET');
    return this.client;
  }
}

/** Converts errors of a storage to those of backups. */
export async function withBackupErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === 'NOT_FOUND') throw new SiteBackupError('BACKUP_GONE', {}, undefined, { cause: error });
    if (error.code === 'REFUSED') throw new SiteBackupError('STORAGE_REFUSED', { answer: error.message }, undefined, { cause: error });
    throw new SiteBackupError('STORAGE_SILENT', {}, undefined, { cause: error });
  }
}
