import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, hashToken } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, fromSqlTime, type Statement } from '../database/index.js';
import { Job } from '../jobs/index.js';
import type { AccountSide } from './sign-in-side.js';

import { Access } from './access.js';
import { TOKEN_PATTERN, TOUCH_MS } from './session-tokens.js';

/** How long a sign-in lasts, in seconds: seven days. */
export const SESSION_SECONDS = 7 * 24 * 3600;
/** How long a code of the second factor that was shown in a session counts there, in seconds: ten minutes. */
export const PROOF_SECONDS = 10 * 60;
/**
 * Pauses that do not keep the owner of a hosting account out: he comes in to pay, to say that he needs it and to fetch what is his. Every
 * other one, of the reseller, his shop, a scan or a plugin, does.
 */
export const OPEN_PAUSES: readonly string[] = ['expiry', 'quota', 'idle'];

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
  /** What an administrator may do; nothing for others, who own what is theirs. */
  readonly access: Access;
}

const ACCESS_WITHOUT_ROLE: Readonly<Record<AccountSide, Access>> = { admin: Access.FULL, user: Access.NONE, customer: Access.NONE };

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
  /** Of an administrator. */
  roleId?: number | null;
}

/**
 * Sign-ins as rows, so that any process knows them and ending one ends it everywhere. The cookie holds a random token, the row
 * its hash. A session resolves only while its account may be signed in: one query tells both.
 */
@Injectable()
export class SessionService {
  private readonly insert;
  private readonly insertIfUnchanged: Record<AccountSide, Statement>;
  private readonly resolveBy: Record<AccountSide, Statement<SessionRow>>;
  private readonly selectRole;
  private readonly touch;
  private readonly setProven;
  private readonly selectProven;
  private readonly endByToken;
  private readonly endById;
  private readonly endAll;
  private readonly endOthers;
  private readonly select;
  private readonly sweep;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    const into = `INSERT INTO {Session} ({Session.tokenHash}, {Session.scope}, {Session.subjectId}, {Session.ip}, {Session.userAgent},
        {Session.createdAt}, {Session.seenAt}, {Session.expiresAt}, {Session.provenAt})`;
    this.insert = database.statement(`${into} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    // MySQL reads the account as it was when the statement began; the lock makes it wait for a change under way.
    const locked = database.engine === 'mysql' ? ' LOCK IN SHARE MODE' : '';
    this.insertIfUnchanged = {
      admin: database.statement(
        `${into} SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? FROM {Administrator}
         WHERE {Administrator.id} = ? AND {Administrator.passwordHash} = ? AND {Administrator.enabled} = 1${locked}`,
      ),
      user: database.statement(
        `${into} SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? FROM {HostingAccount}
         WHERE {HostingAccount.id} = ? AND {HostingAccount.passwordHash} = ?${locked}`,
      ),
      customer: database.statement(
        `${into} SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? FROM {Customer}
         WHERE {Customer.id} = ? AND {Customer.passwordHash} = ? AND {Customer.status} = 1${locked}`,
      ),
    };
    const columns = 's.{Session.id} AS id, s.{Session.subjectId} AS subjectId, s.{Session.seenAt} AS seenAt';
    this.resolveBy = {
      admin: database.statement<SessionRow>(
        `SELECT ${columns}, a.{Administrator.username} AS username, a.{Administrator.roleId} AS roleId FROM {Session} s
         JOIN {Administrator} a ON a.{Administrator.id} = s.{Session.subjectId} AND a.{Administrator.enabled} = 1
         WHERE s.{Session.tokenHash} = ? AND s.{Session.scope} = 'admin' AND s.{Session.expiresAt} > ?
         ${config.defaultPasswordAllowed ? '' : 'AND a.{Administrator.hasDefaultPassword} = 0'}`,
      ),
      user: database.statement<SessionRow>(
        `SELECT ${columns}, h.{HostingAccount.username} AS username FROM {Session} s
         JOIN {HostingAccount} h ON h.{HostingAccount.id} = s.{Session.subjectId} AND ${mayBeSignedIn('h.')}
         WHERE s.{Session.tokenHash} = ? AND s.{Session.scope} = 'user' AND s.{Session.expiresAt} > ?`,
      ),
      customer: database.statement<SessionRow>(
        `SELECT ${columns}, c.{Customer.username} AS username FROM {Session} s
         JOIN {Customer} c ON c.{Customer.id} = s.{Session.subjectId} AND c.{Customer.status} = 1
         WHERE s.{Session.tokenHash} = ? AND s.{Session.scope} = 'customer' AND s.{Session.expiresAt} > ?`,
      ),
    };
    this.selectRole = database.statement<{ patterns: string; servers: string | null }>(
      'SELECT {AdminRole.patterns} AS patterns, {AdminRole.servers} AS servers FROM {AdminRole} WHERE {AdminRole.id} = ?',
    );
    this.touch = database.statement('UPDATE {Session} SET {Session.seenAt} = ? WHERE {Session.id} = ? AND {Session.seenAt} = ?');
    this.setProven = database.statement(
      'UPDATE {Session} SET {Session.provenAt} = ? WHERE {Session.tokenHash} = ? AND {Session.scope} = ?',
    );
    this.selectProven = database.statement<{ id: number }>(
      'SELECT {Session.id} AS id FROM {Session} WHERE {Session.tokenHash} = ? AND {Session.scope} = ? AND {Session.provenAt} > ?',
    );
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
  async open(scope: AccountSide, subjectId: number, visitor: Visitor): Promise<string> {
    const { token, values } = this.draft(scope, subjectId, visitor);
    await this.insert.run(...values);
    return token;
  }

  /**
   * As {@link open}, for who has just shown the password behind `passwordHash`: null where the account has another one by
   * now. A change of the password ends the sessions there are; without this, one opened a moment later would stay.
   *
   * @param proven whether a code of the second factor was shown as well
   */
  async openWithPassword(
    scope: AccountSide,
    subjectId: number,
    passwordHash: string,
    visitor: Visitor,
    proven = false,
  ): Promise<string | null> {
    const { token, values } = this.draft(scope, subjectId, visitor, proven);
    const { affected } = await this.insertIfUnchanged[scope].run(...values, subjectId, passwordHash);
    return affected > 0 ? token : null;
  }

  /** Whose session this is; null for a token that is none, that ended, or whose account may not stay signed in. */
  async resolve(scope: AccountSide, token: string): Promise<ResolvedSession | null> {
    if (!TOKEN_PATTERN.test(token)) return null;
    const now = this.clock.now();
    const row = await this.resolveBy[scope].get(hashToken(token), now);
    if (!row) return null;
    if (now.getTime() - fromSqlTime(row.seenAt).getTime() > TOUCH_MS) await this.touch.run(now, row.id, row.seenAt);
    return {
      sessionId: row.id,
      subjectId: row.subjectId,
      username: row.username,
      access: row.roleId ? await this.accessOf(row.roleId) : ACCESS_WITHOUT_ROLE[scope],
    };
  }

  /** Notes that a code of the second factor was shown in the session of this token. */
  async prove(scope: AccountSide, token: string): Promise<void> {
    await this.setProven.run(this.clock.now(), hashToken(token), scope);
  }

  /** Whether one was shown in it during the last {@link PROOF_SECONDS}. */
  async isProven(scope: AccountSide, token: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - PROOF_SECONDS * 1_000);
    return (await this.selectProven.get(hashToken(token), scope, since)) !== undefined;
  }

  /** Whether {@link resolve} would find it; nobody is noted as seen by this. */
  async isLive(scope: AccountSide, token: string): Promise<boolean> {
    return TOKEN_PATTERN.test(token) && (await this.resolveBy[scope].get(hashToken(token), this.clock.now())) !== undefined;
  }

  /** Ends the session of this token. */
  async end(token: string): Promise<void> {
    await this.endByToken.run(hashToken(token));
  }

  /** Ends one session of somebody; false where they have none of that id. */
  async endOne(scope: AccountSide, subjectId: number, id: number): Promise<boolean> {
    return (await this.endById.run(id, scope, subjectId)).affected > 0;
  }

  /** Ends every session of somebody, but the one of `exceptToken`. */
  async endEvery(scope: AccountSide, subjectId: number, exceptToken?: string): Promise<number> {
    const { affected } = exceptToken
      ? await this.endOthers.run(scope, subjectId, hashToken(exceptToken))
      : await this.endAll.run(scope, subjectId);
    return affected;
  }

  /** After a change of the password: every session ends, and the caller goes on under a new token. */
  rotate(scope: AccountSide, subjectId: number, visitor: Visitor): Promise<string> {
    return this.database.transaction(async () => {
      await this.endEvery(scope, subjectId);
      return this.open(scope, subjectId, visitor);
    });
  }

  /** The live sessions of somebody, newest first, at most 200. */
  async list(scope: AccountSide, subjectId: number): Promise<SessionListing[]> {
    const rows = await this.select.all(scope, subjectId, this.clock.now());
    return rows.map((row) => ({ ...row, createdAt: fromSqlTime(row.createdAt), seenAt: fromSqlTime(row.seenAt) }));
  }

  /** Removes sessions that have run out; for the cron tick. */
  @Job({ name: 'sessions', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }

  /** Read anew with every request: a role that was changed or taken away holds from the next one on. A role that is gone gives nothing. */
  private async accessOf(roleId: number): Promise<Access> {
    const role = await this.selectRole.get(roleId);
    return role
      ? new Access(JSON.parse(role.patterns) as string[], role.servers ? (JSON.parse(role.servers) as number[]) : null)
      : Access.NONE;
  }

  private draft(scope: AccountSide, subjectId: number, visitor: Visitor, proven = false) {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1_000);
    const userAgent = visitor.userAgent.slice(0, 255);
    return {
      token,
      values: [hashToken(token), scope, subjectId, visitor.ip, userAgent, now, now, expiresAt, proven ? now : null] as const,
    };
  }
}

/**
 * Condition of a statement on hosting accounts whose owner may be signed in; see {@link OPEN_PAUSES}.
 *
 * @param prefix of the table, such as `h.`
 */
export function mayBeSignedIn(prefix = ''): string {
  // Reasons are a JSON list: each order they can stand in.
  const lists = orders(OPEN_PAUSES)
    .map((reasons) => `'${JSON.stringify(reasons)}'`)
    .join(', ');
  return `(${prefix}{HostingAccount.state} = 'active' OR (${prefix}{HostingAccount.state} = 'paused'
    AND ${prefix}{HostingAccount.pauseReasons} IN (${lists})))`;
}

/** Every list of some of these, each at most once. */
function orders(of: readonly string[]): string[][] {
  return of.flatMap((first) => [[first], ...orders(of.filter((other) => other !== first)).map((rest) => [first, ...rest])]);
}
