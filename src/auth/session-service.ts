import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, hashToken } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, fromSqlTime, type Statement } from '../database/index.js';
import { Job } from '../jobs/index.js';
import type { AccountSide } from './sign-in-side.js';

import { Access } from './access.js';
import { TOKEN_PATTERN, TOUCH_MS } from './session-tokens.js';

/** Lifetime of a session, in seconds: seven days. */
export const SESSION_SECONDS = 7 * 24 * 3600;
/** How long a second factor code counts as recently verified in its session, in seconds: ten minutes. */
export const PROOF_SECONDS = 10 * 60;
/**
 * Suspension reasons that still let the owner of a hosting account sign in: to pay, to confirm use, or to download their data. Any other
 * reason, set by the reseller, a shop, a scan or a plugin, blocks the sign-in.
 */
export const OPEN_PAUSES: readonly string[] = ['expiry', 'quota', 'idle'];

/** The client that opened a session. */
export interface Visitor {
  readonly ip: string;
  readonly userAgent: string;
}

/** A live session and its account. */
export interface ResolvedSession {
  readonly sessionId: number;
  readonly subjectId: number;
  readonly username: string;
  /** Permissions of an administrator; none for other accounts, who own their data. */
  readonly access: Access;
}

const ACCESS_WITHOUT_ROLE: Readonly<Record<AccountSide, Access>> = { admin: Access.FULL, user: Access.NONE, customer: Access.NONE };

/** A session as listed for its owner. */
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
  /** Only for administrators. */
  roleId?: number | null;
}

/**
 * Sessions stored as rows, so that all processes share them and ending one takes effect everywhere. The cookie contains a random token,
 * the row its hash. A session only resolves while its account may be signed in; one query checks both.
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
    // MySQL reads the account as of the start of the statement; the lock makes it wait for a concurrent change.
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

  /** Opens a session; the token goes into the cookie and is not stored. */
  async open(scope: AccountSide, subjectId: number, visitor: Visitor): Promise<string> {
    const { token, values } = this.draft(scope, subjectId, visitor);
    await this.insert.run(...values);
    return token;
  }

  /**
   * As {@link open}, after the password behind `passwordHash` was verified: returns null if the account has another password
   * now. Changing the password ends existing sessions; without this check, one opened a moment later would remain.
   *
   * @param proven whether a second factor code was verified as well
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

  /** Returns the session of a token; null if the token is invalid or ended, or if its account may not stay signed in. */
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

  /** Records that a second factor code was verified in the session of this token. */
  async prove(scope: AccountSide, token: string): Promise<void> {
    await this.setProven.run(this.clock.now(), hashToken(token), scope);
  }

  /** Returns whether a code was verified in it during the last {@link PROOF_SECONDS}. */
  async isProven(scope: AccountSide, token: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - PROOF_SECONDS * 1_000);
    return (await this.selectProven.get(hashToken(token), scope, since)) !== undefined;
  }

  /** Returns whether {@link resolve} would succeed, without updating the last-seen time. */
  async isLive(scope: AccountSide, token: string): Promise<boolean> {
    return TOKEN_PATTERN.test(token) && (await this.resolveBy[scope].get(hashToken(token), this.clock.now())) !== undefined;
  }

  /** Ends the session of this token. */
  async end(token: string): Promise<void> {
    await this.endByToken.run(hashToken(token));
  }

  /** Ends one session of an account; returns false if it has none with that id. */
  async endOne(scope: AccountSide, subjectId: number, id: number): Promise<boolean> {
    return (await this.endById.run(id, scope, subjectId)).affected > 0;
  }

  /** Ends every session of an account, except that of `exceptToken`. */
  async endEvery(scope: AccountSide, subjectId: number, exceptToken?: string): Promise<number> {
    const { affected } = exceptToken
      ? await this.endOthers.run(scope, subjectId, hashToken(exceptToken))
      : await this.endAll.run(scope, subjectId);
    return affected;
  }

  /** Ends every session after a password change and opens a new one for the caller. */
  rotate(scope: AccountSide, subjectId: number, visitor: Visitor): Promise<string> {
    return this.database.transaction(async () => {
      await this.endEvery(scope, subjectId);
      return this.open(scope, subjectId, visitor);
    });
  }

  /** Returns the live sessions of an account, newest first, at most 200. */
  async list(scope: AccountSide, subjectId: number): Promise<SessionListing[]> {
    const rows = await this.select.all(scope, subjectId, this.clock.now());
    return rows.map((row) => ({ ...row, createdAt: fromSqlTime(row.createdAt), seenAt: fromSqlTime(row.seenAt) }));
  }

  /** Removes expired sessions; run by the cron tick. */
  @Job({ name: 'sessions', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }

  /** Read on every request, so that role changes take effect immediately. A removed role grants nothing. */
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
 * Returns an SQL condition for hosting accounts whose owner may be signed in; see {@link OPEN_PAUSES}.
 *
 * @param prefix of the table, such as `h.`
 */
export function mayBeSignedIn(prefix = ''): string {
  // Reasons are stored as a JSON list, in any order.
  const lists = orderings(OPEN_PAUSES)
    .map((reasons) => `'${JSON.stringify(reasons)}'`)
    .join(', ');
  return `(${prefix}{HostingAccount.state} = 'active' OR (${prefix}{HostingAccount.state} = 'paused'
    AND ${prefix}{HostingAccount.pauseReasons} IN (${lists})))`;
}

/** Returns every ordering of every non-empty subset. */
function orderings(of: readonly string[]): string[][] {
  return of.flatMap((first) => [[first], ...orderings(of.filter((other) => other !== first)).map((rest) => [first, ...rest])]);
}
