import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not } from 'typeorm';

import { TOUCH_MS } from '../../auth/index.js';
import { DAY_MS, Clock, hashToken } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { type Actor, StoreAuditLog } from '../audit/index.js';
import { StoreCoAuthor, StoreItem, type StoreRole, StoreToken, type TokenScope } from '../entities/index.js';
import { StoreError } from '../errors.js';

const API_TOKEN_PATTERN = /^svcs_[A-Za-z0-9_-]{43}$/;

/** Maximum tokens per account. */
const MAX_TOKENS = 20;

/** A valid API token: its account, scopes and item. */
export interface LiveToken {
  readonly userId: number;
  readonly username: string;
  readonly role: StoreRole;
  readonly scopes: readonly TokenScope[];
  /** The only item the token is valid for. */
  readonly itemId: number | null;
}

/** Properties of a new API token. */
export interface NewTokenFacts {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** Lifetime in days. */
  readonly days: number;
  /** The only item the token is valid for; null: all of the account. */
  readonly itemId: number | null;
}

/** API tokens; only their hash is stored. */
@Injectable()
export class StoreTokens {
  private readonly touch;
  private readonly lockOwner;
  private readonly sweep;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: StoreAuditLog,
  ) {
    this.touch = database.statement(
      `UPDATE {StoreToken} SET {StoreToken.lastUsedAt} = ?
       WHERE {StoreToken.id} = ? AND ({StoreToken.lastUsedAt} IS NULL OR {StoreToken.lastUsedAt} < ?)`,
    );
    this.lockOwner = database.statement<{ id: number }>(
      `SELECT {StoreUser.id} AS id FROM {StoreUser} WHERE {StoreUser.id} = ?
        AND {StoreUser.status} = 'active'${database.engine === 'mysql' ? ' FOR UPDATE' : ''}`,
    );
    this.sweep = database.statement('DELETE FROM {StoreToken} WHERE {StoreToken.expiresAt} <= ?');
  }

  /**
   * Creates a token.
   *
   * @returns the token itself, which cannot be shown again
   * @throws StoreError ITEM_NOT_FOUND_OR_YOURS; INVALID at the account's token limit; LOGIN_REQUIRED if the account was banned meanwhile
   */
  async create(actor: Actor, { name, scopes, days, itemId }: NewTokenFacts): Promise<{ token: string; row: StoreToken }> {
    const userId = actor.caller.id;
    const token = `svcs_${randomBytes(32).toString('base64url')}`;
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + days * DAY_MS);
    const row = await this.database.transaction(async () => {
      // The lock serializes this with a concurrent ban of the account.
      if (!(await this.lockOwner.get(userId))) throw new StoreError('LOGIN_REQUIRED');
      if ((await this.rows.countBy({ userId })) >= MAX_TOKENS) throw new StoreError('TOKEN_LIMIT', { max: MAX_TOKENS });
      if (itemId !== null && !(await this.publishes(userId, itemId))) throw new StoreError('ITEM_NOT_FOUND_OR_YOURS');
      const facts = { userId, name, scopes: [...scopes], itemId, expiresAt, createdAt: now };
      const made = await this.rows.save(this.rows.create({ ...facts, tokenHash: hashToken(token), lastUsedAt: null }));
      await this.log.record(actor, {
        action: 'token.create',
        subject: 'token',
        subjectId: made.id,
        detail: { token: name, scopes: [...scopes] },
      });
      return made;
    });
    return { token, row };
  }

  /** Returns the tokens of a user, newest first, including expired ones that are not yet revoked or swept. */
  listOf(userId: number): Promise<StoreToken[]> {
    return this.rows.find({ where: { userId }, order: { id: 'DESC' }, take: MAX_TOKENS });
  }

  /** Revokes one token of its owner. @returns false if the owner has no token with that id */
  revoke(actor: Actor, id: number): Promise<boolean> {
    return this.database.transaction(async () => {
      const row = await this.rows.findOneBy({ id, userId: actor.caller.id });
      if (!row || ((await this.rows.delete({ id, userId: actor.caller.id })).affected ?? 0) === 0) return false;
      await this.log.record(actor, {
        action: 'token.revoke',
        subject: 'token',
        subjectId: id,
        detail: { token: row.name, scopes: row.scopes },
      });
      return true;
    });
  }

  /** Revokes all tokens of a user. @returns how many were still valid */
  async revokeEvery(userId: number): Promise<number> {
    const live = await this.countLive(userId);
    await this.rows.delete({ userId });
    return live;
  }

  /** Counts the valid tokens of a user. */
  countLive(userId: number): Promise<number> {
    return this.rows.countBy({ userId, expiresAt: MoreThan(this.clock.now()) });
  }

  /** Removes tokens 30 days after they expired, so that owners can see why a program stopped working. */
  @Job({ name: 'store-tokens', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(new Date(this.clock.now().getTime() - 30 * DAY_MS));
  }

  /** Returns the token's account; null if it is unknown, expired or revoked, or its account is banned. */
  async resolve(token: string): Promise<LiveToken | null> {
    if (!API_TOKEN_PATTERN.test(token)) return null;
    const row = await this.rows.findOne({ where: { tokenHash: hashToken(token) }, relations: { user: true } });
    const now = this.clock.now();
    if (!row?.user || row.user.status !== 'active' || row.expiresAt <= now) return null;
    await this.touch.run(now, row.id, new Date(now.getTime() - TOUCH_MS));
    return { userId: row.userId, username: row.user.username, role: row.user.role, scopes: row.scopes, itemId: row.itemId };
  }

  /** Whether the user publishes an item, as author or accepted co-author. */
  private async publishes(userId: number, itemId: number): Promise<boolean> {
    if (await this.database.repository(StoreItem).existsBy({ id: itemId, authorId: userId })) return true;
    return this.database.repository(StoreCoAuthor).existsBy({ itemId, userId, acceptedAt: Not(IsNull()) });
  }

  private get rows() {
    return this.database.repository(StoreToken);
  }
}
