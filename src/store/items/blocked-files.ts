import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { StoreBlockedDigest, StoreVersionFile } from '../entities/index.js';
import type { FileDigest } from '../packages/index.js';

/** Digests per database query. */
const DIGEST_BATCH = 500;

/**
 * Files blocked by administrators, and the packages that contain them. The list may change at any time, so it is queried each time instead
 * of storing the result with a version.
 */
@Injectable()
export class BlockedFiles {
  private readonly inVersion;
  private readonly selectNotices;
  private readonly addNotice;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.inVersion = database.statement<FileDigest>(
      `SELECT f.{StoreVersionFile.path} AS path, f.{StoreVersionFile.sha256} AS sha256 FROM {StoreVersionFile} f
       JOIN {StoreBlockedDigest} b ON b.{StoreBlockedDigest.sha256} = f.{StoreVersionFile.sha256}
       WHERE f.{StoreVersionFile.versionId} = ? ORDER BY f.{StoreVersionFile.id}`,
    );
    this.selectNotices = database.statement<Pick<FileDigest, 'sha256'>>(
      `SELECT {StoreBlockedNotice.sha256} AS sha256 FROM {StoreBlockedNotice} WHERE {StoreBlockedNotice.versionId} = ?
        AND {StoreBlockedNotice.userId} = ?`,
    );
    this.addNotice = database.statement(
      `${database.insertIgnore} {StoreBlockedNotice} ({StoreBlockedNotice.versionId}, {StoreBlockedNotice.userId},
        {StoreBlockedNotice.sha256}, {StoreBlockedNotice.createdAt})
       VALUES (?, ?, ?, ?)`,
    );
  }

  /** Returns the blocked ones among `files`, in their order. */
  async among(files: readonly FileDigest[]): Promise<FileDigest[]> {
    const blocked = new Set<string>();
    for (let i = 0; i < files.length; i += DIGEST_BATCH) {
      const digests = files.slice(i, i + DIGEST_BATCH).map(({ sha256 }) => sha256);
      for (const { sha256 } of await this.database.repository(StoreBlockedDigest).findBy({ sha256: In(digests) })) blocked.add(sha256);
    }
    return files.filter(({ sha256 }) => blocked.has(sha256));
  }

  /** Stores the file digests of a version for {@link ofVersion}. */
  async storeFiles(versionId: number, files: readonly FileDigest[]): Promise<void> {
    await this.database.repository(StoreVersionFile).insert(files.map(({ path, sha256 }) => ({ versionId, path, sha256 })));
  }

  /** Returns the currently blocked files of a version, in package order. */
  ofVersion(versionId: number): Promise<FileDigest[]> {
    return this.inVersion.all(versionId);
  }

  /** Returns the digests a user was already warned about; see {@link recordWarning}. */
  async acknowledged(versionId: number, userId: number): Promise<Set<string>> {
    return new Set((await this.selectNotices.all(versionId, userId)).map(({ sha256 }) => sha256));
  }

  /** Records that a user was warned about these files. */
  async recordWarning(versionId: number, userId: number, files: readonly FileDigest[]): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(async () => {
      for (const sha256 of new Set(files.map((file) => file.sha256))) await this.addNotice.run(versionId, userId, sha256, now);
    });
  }
}
