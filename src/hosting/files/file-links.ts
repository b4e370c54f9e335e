import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { TOKEN_PATTERN } from '../../auth/index.js';
import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';

/** Seconds a link is valid. */
export const FILE_LINK_SECONDS = 120;

/** The file a link downloads. */
export interface LinkedFile {
  readonly accountId: number;
  readonly path: string;
}

/** Links that download one file of a site. By default usable only by the requester, once, within {@link FILE_LINK_SECONDS}. */
@Injectable()
export class FileLinks {
  private readonly insert;
  private readonly find;
  private readonly take;
  private readonly sweep;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      `INSERT INTO {FileLink} ({FileLink.tokenHash}, {FileLink.accountId}, {FileLink.forWhom}, {FileLink.path}, {FileLink.expiresAt})
        VALUES (?, ?, ?, ?, ?)`,
    );
    this.find = database.statement<LinkedFile>(
      `SELECT {FileLink.accountId} AS accountId, {FileLink.path} AS path FROM {FileLink}
       WHERE {FileLink.tokenHash} = ? AND {FileLink.forWhom} = ? AND {FileLink.expiresAt} > ?`,
    );
    this.take = database.statement('DELETE FROM {FileLink} WHERE {FileLink.tokenHash} = ?');
    this.sweep = database.statement('DELETE FROM {FileLink} WHERE {FileLink.expiresAt} <= ?');
  }

  /** @param forWhom who may use it, such as `user:7` @param seconds validity @returns the token */
  async issue(file: LinkedFile, forWhom: string, seconds = FILE_LINK_SECONDS): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.clock.now().getTime() + seconds * 1_000);
    await this.insert.run(hashOf(token), file.accountId, forWhom, file.path, expiresAt);
    return token;
  }

  /** Uses up a link; null for one that is unknown, used, expired, or issued to someone else. */
  async redeem(token: string, forWhom: string): Promise<LinkedFile | null> {
    const file = await this.peek(token, forWhom);
    if (!file) return null;
    const { affected } = await this.take.run(hashOf(token));
    return affected === 0 ? null : file;
  }

  /** Returns a link's file without using it up, for resumable downloads. Null as {@link redeem}. */
  async peek(token: string, forWhom: string): Promise<LinkedFile | null> {
    if (!TOKEN_PATTERN.test(token)) return null;
    return (await this.find.get(hashOf(token), forWhom, this.clock.now())) ?? null;
  }

  /** Removes expired links. */
  @Job({ name: 'file-links', everyMinutes: 60 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }
}

const hashOf = (token: string): string => hash('sha256', token, 'hex');
