import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database, fromSqlTime, toSqlTime } from '../database/index.js';
import type { Scope } from '../sdk/index.js';

/** How long a sign-in lasts, in seconds: seven days. */
export const SESSION_SECONDS = 7 * 24 * 3600;
/** `seen_at` is written at most once in this time: a write on every request would cost as much as the request. */
const TOUCH_MS = 60_000;
/** A token is 32 random bytes in base64url. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** Where a session was opened from. */
export interface Visitor {
  readonly ip: string;
  readonly userAgent: string;
}

/** A live session and whose it is. */
export interface ResolvedSession {
  readonly sessionId: number;
  readonly subjectId: number;
  readonly username: string;
}

/** A session as its owner sees it in the list. */
export interface SessionListing {
  readonly id: number;
  readonly ip: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
}

interface SessionRow {
  id: number;
  subjectId: number;
  username: string;
  seenAt: string;
}

/**
 * Sign-ins as rows, so that any process knows them and ending one ends it everywhere. The cookie holds a random token, the row
 * its hash. A session resolves only while its account may be signed in: one query tells both.
 */
@Injectable()
export class SessionService {
  private readonly insert;
  private readonly resolveBy: Record<Scope, ReturnType<Database['statement']>>;
  private readonly touch;
  private readonly endByToken;
  private readonly endById;
  private readonly endAll;
  private readonly endOthers;
  private readonly select;
  private readonly sweep;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      `INSERT INTO {Session} ({Session.tokenHash}, {Session.scope}, {Session.subjectId}, {Session.ip}, {Session.userAgent},
        {Session.createdAt}, {Session.seenAt}, {Session.expiresAt}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const columns = 's.{Session.id} AS id, s.{Session.subjectId} AS subjectId, s.{Session.seenAt} AS seenAt';
    this.resolveBy = {
      admin: database.statement<SessionRow>(
        `SELECT ${columns}, a.{Administrator.username} AS username FROM {Session} s
         JOIN {Administrator} a ON a.{Administrator.id} = s.{Session.subjectId}
         WHERE s.{Session.tokenHash} = ? AND s.{Session.scope} = 'admin' AND s.{Session.expiresAt} > ?`,
      ),
      user: database.statement<SessionRow>(
        `SELECT ${columns}, h.{HostingAccount.username} AS username FROM {Session} s
         JOIN {HostingAccount} h ON h.{HostingAccount.id} = s.{Session.subjectId} AND h.{HostingAccount.state} = 'active'
         WHERE s.{Session.tokenHash} = ? AND s.{Session.scope} = 'user' AND s.{Session.expiresAt} > ?`,
      ),
    };
    this.touch = database.statement('UPDATE {Session} SET {Session.seenAt} = ? WHERE {Session.id} = ?');
    this.endByToken = database.statement('DELETE FROM {Session} WHERE {Session.tokenHash} = ?');
    this.endById = database.statement('DELETE FROM {Session} WHERE {Session.id} = ? AND {Session.scope} = ? AND {Session.subjectId} = ?');
    this.endAll = database.statement('DELETE FROM {Session} WHERE {Session.scope} = ? AND {Session.subjectId} = ?');
    this.endOthers = database.statement(
      'DELETE FROM {Session} WHERE {Session.scope} = ? AND {Session.subjectId} = ? AND {Session.tokenHash} <> ?',
    );
    this.select = database.statement<{ id: number; ip: string; userAgent: string; createdAt: string; seenAt: string }>(
      `SELECT {Session.id} AS id, {Session.ip} AS ip, {Session.userAgent} AS userAgent, {Session.createdAt} AS createdAt,
        {Session.seenAt} AS seenAt FROM {Session}
       WHERE {Session.scope} = ? AND {Session.subjectId} = ? AND {Session.expiresAt} > ? ORDER BY {Session.id} DESC LIMIT 200`,
    );
    this.sweep = database.statement('DELETE FROM {Session} WHERE {Session.expiresAt} <= ?');
  }

  /** Opens a session; the token goes into the cookie and is kept nowhere. */
  async open(scope: Scope, subjectId: number, visitor: Visitor): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1_000);
    await this.insert.run(hashToken(token), scope, subjectId, visitor.ip, visitor.userAgent.slice(0, 255), now, now, expiresAt);
    return token;
  }

  /** Whose session this is; null for a token that is none, that ended, or whose account may not stay signed in. */
  async resolve(scope: Scope, token: string): Promise<ResolvedSession | null> {
    if (!TOKEN_PATTERN.test(token)) return null;
    const now = this.clock.now();
    const row = (await this.resolveBy[scope].get(hashToken(token), toSqlTime(now))) as SessionRow | undefined;
    if (!row) return null;
    if (now.getTime() - fromSqlTime(row.seenAt).getTime() > TOUCH_MS) await this.touch.run(now, row.id);
    return { sessionId: row.id, subjectId: row.subjectId, username: row.username };
  }

  /** Ends the session of this token. */
  async end(token: string): Promise<void> {
    await this.endByToken.run(hashToken(token));
  }

  /** Ends one session of somebody; false where they have none of that id. */
  async endOne(scope: Scope, subjectId: number, id: number): Promise<boolean> {
    return (await this.endById.run(id, scope, subjectId)).affected > 0;
  }

  /** Ends every session of somebody, but the one of `exceptToken`. */
  async endEvery(scope: Scope, subjectId: number, exceptToken?: string): Promise<number> {
    const { affected } = exceptToken
      ? await this.endOthers.run(scope, subjectId, hashToken(exceptToken))
      : await this.endAll.run(scope, subjectId);
    return affected;
  }

  /** After a change of the password: every session ends, and the caller goes on under a new token. */
  rotate(scope: Scope, subjectId: number, visitor: Visitor): Promise<string> {
    return this.database.transaction(async () => {
      await this.endEvery(scope, subjectId);
      return this.open(scope, subjectId, visitor);
    });
  }

  /** The live sessions of somebody, newest first, at most 200. */
  async list(scope: Scope, subjectId: number): Promise<SessionListing[]> {
    const rows = await this.select.all(scope, subjectId, this.clock.now());
    return rows.map((row) => ({ ...row, createdAt: fromSqlTime(row.createdAt), seenAt: fromSqlTime(row.seenAt) }));
  }

  /** Removes sessions that have run out; for the cron tick. */
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }
}

function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
