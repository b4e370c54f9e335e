import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { StoreToken, type StoreRole, type TokenScope } from '../entities/index.js';

import { hashToken } from './store-sessions.js';

const TOKEN_PATTERN = /^svcs_[A-Za-z0-9_-]{43}$/;
/** `last_used_at` is written at most once in this time, in milliseconds. */
const TOUCH_MS = 60_000;

/** Whose token it is and what it may be used for. */
export interface LiveToken {
  readonly userId: number;
  readonly username: string;
  readonly role: StoreRole;
  readonly scopes: readonly TokenScope[];
}

/** Tokens for programs: shown once, kept as their hash. */
@Injectable()
export class StoreTokens {
  private readonly touch;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.touch = database.statement(
      `UPDATE {StoreToken} SET {StoreToken.lastUsedAt} = ?
       WHERE {StoreToken.id} = ? AND ({StoreToken.lastUsedAt} IS NULL OR {StoreToken.lastUsedAt} < ?)`,
    );
  }

  /** Makes a token. @returns the token itself, which nobody can see again */
  async create(userId: number, name: string, scopes: readonly TokenScope[], days: number): Promise<{ token: string; row: StoreToken }> {
    const token = `svcs_${randomBytes(32).toString('base64url')}`;
    const now = this.clock.now();
    const rows = this.database.repository(StoreToken);
    const row = await rows.save(
      rows.create({ userId, name, tokenHash: hashToken(token), scopes: [...scopes], expiresAt: new Date(now.getTime() + days * 86_400_000), lastUsedAt: null, createdAt: now }),
    );
    return { token, row };
  }

  /** Whose token this is; null for one that is none, ran out, was revoked, or whose account is banned. */
  async resolve(token: string): Promise<LiveToken | null> {
    if (!TOKEN_PATTERN.test(token)) return null;
    const row = await this.database.repository(StoreToken).findOne({ where: { tokenHash: hashToken(token) }, relations: { user: true } });
    const now = this.clock.now();
    if (!row?.user || row.user.status !== 'active' || row.expiresAt <= now) return null;
    await this.touch.run(now, row.id, new Date(now.getTime() - TOUCH_MS));
    return { userId: row.userId, username: row.user.username, role: row.user.role, scopes: row.scopes };
  }
}
