import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { KnownDevices, TOKEN_PATTERN, TOUCH_MS, type SessionListing } from '../../auth/index.js';
import { Clock, hashToken } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import type { StoreCall } from '../call/index.js';
import type { StoreRole } from '../entities/index.js';
import { STORE_SESSION_SECONDS } from '../http/index.js';

interface SessionRow {
  readonly id: number;
  readonly userId: number;
  readonly username: string;
  readonly role: StoreRole;
  readonly seenAt: string;
}

/** A valid session with its account. */
export type LiveSession = Omit<SessionRow, 'seenAt'>;

/** Client of a sign-in: address, browser and device. */
export type Visitor = Pick<StoreCall, 'ip' | 'userAgent'> & Partial<Pick<StoreCall, 'deviceToken'>>;

/** Tokens for the cookies of a browser that signed in. */
export interface SignedInTokens {
  /** Of the session. */
  readonly token: string;
  /** Of the device, which is known from now on. */
  readonly device: string;
}

/** Browser sessions in the database, and the devices they were opened on. A session resolves only while its account is active. */
@Injectable()
export class StoreSessions {
  private readonly insert;
  private readonly insertIfUnchanged;
  private readonly list;
  private readonly endById;
  private readonly select;
  private readonly touch;
  private readonly endByToken;
  private readonly endAll;
  private readonly sweep;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly devices: KnownDevices,
    config: AppConfig,
  ) {
    const into = `INSERT INTO {StoreSession} ({StoreSession.tokenHash}, {StoreSession.userId}, {StoreSession.ip}, {StoreSession.userAgent},
        {StoreSession.createdAt}, {StoreSession.seenAt}, {StoreSession.expiresAt})`;
    this.insert = database.statement(`${into} VALUES (?, ?, ?, ?, ?, ?, ?)`);
    // MySQL would read the account as of the statement's start; the lock makes it wait for concurrent changes.
    const locked = database.engine === 'mysql' ? ' LOCK IN SHARE MODE' : '';
    this.insertIfUnchanged = database.statement(
      `${into} SELECT ?, ?, ?, ?, ?, ?, ? FROM {StoreUser}
       WHERE {StoreUser.id} = ? AND {StoreUser.passwordHash} = ? AND {StoreUser.status} = 'active'${locked}`,
    );
    this.list = database.statement<{ id: number; ip: string; userAgent: string; createdAt: string; seenAt: string }>(
      `SELECT {StoreSession.id} AS id, {StoreSession.ip} AS ip, {StoreSession.userAgent} AS userAgent,
        {StoreSession.createdAt} AS createdAt,
        {StoreSession.seenAt} AS seenAt FROM {StoreSession}
       WHERE {StoreSession.userId} = ? AND {StoreSession.expiresAt} > ? ORDER BY {StoreSession.id} DESC LIMIT 200`,
    );
    this.endById = database.statement('DELETE FROM {StoreSession} WHERE {StoreSession.id} = ? AND {StoreSession.userId} = ?');
    this.select = database.statement<SessionRow>(
      `SELECT s.{StoreSession.id} AS id, u.{StoreUser.id} AS userId, u.{StoreUser.username} AS username, u.{StoreUser.role} AS role,
        s.{StoreSession.seenAt} AS seenAt
       FROM {StoreSession} s JOIN {StoreUser} u ON u.{StoreUser.id} = s.{StoreSession.userId} AND u.{StoreUser.status} = 'active'
       WHERE s.{StoreSession.tokenHash} = ? AND s.{StoreSession.expiresAt} > ?
       ${config.defaultPasswordAllowed ? '' : 'AND u.{StoreUser.hasDefaultPassword} = 0'}`,
    );
    this.touch = database.statement('UPDATE {StoreSession} SET {StoreSession.seenAt} = ? WHERE {StoreSession.id} = ?');
    this.endByToken = database.statement('DELETE FROM {StoreSession} WHERE {StoreSession.tokenHash} = ?');
    this.endAll = database.statement('DELETE FROM {StoreSession} WHERE {StoreSession.userId} = ?');
    this.sweep = database.statement('DELETE FROM {StoreSession} WHERE {StoreSession.expiresAt} <= ?');
  }

  /** Opens a session and remembers the device. */
  async open(userId: number, visitor: Visitor): Promise<SignedInTokens> {
    const { token, values } = this.draft(userId, visitor);
    await this.insert.run(...values);
    return this.withDevice(token, userId, visitor);
  }

  /**
   * As {@link open}, for a caller who just proved the password behind `passwordHash`: null if the password changed since or the account was
   * banned. Otherwise a session opened right after all sessions were ended would survive.
   */
  async openWithPassword(userId: number, passwordHash: string, visitor: Visitor): Promise<SignedInTokens | null> {
    const { token, values } = this.draft(userId, visitor);
    if ((await this.insertIfUnchanged.run(...values, userId, passwordHash)).affected === 0) return null;
    return this.withDevice(token, userId, visitor);
  }

  /** Returns the token's session; null if the token is unknown or expired, or its account is banned. */
  async resolve(token: string): Promise<LiveSession | null> {
    if (!TOKEN_PATTERN.test(token)) return null;
    const now = this.clock.now();
    const row = await this.select.get(hashToken(token), now);
    if (!row) return null;
    if (now.getTime() - fromSqlTime(row.seenAt).getTime() > TOUCH_MS) await this.touch.run(now, row.id);
    return { id: row.id, userId: row.userId, username: row.username, role: row.role };
  }

  /** Ends the session of this token. @returns false if none exists */
  async end(token: string): Promise<boolean> {
    return (await this.endByToken.run(hashToken(token))).affected > 0;
  }

  /** Returns the live sessions of a user, newest first, at most 200. */
  async listOf(userId: number): Promise<SessionListing[]> {
    const rows = await this.list.all(userId, this.clock.now());
    return rows.map((row) => ({ ...row, createdAt: fromSqlTime(row.createdAt), seenAt: fromSqlTime(row.seenAt) }));
  }

  /** Ends one session of a user. @returns false if the user has no session with that id */
  async endOne(userId: number, id: number): Promise<boolean> {
    return (await this.endById.run(id, userId)).affected > 0;
  }

  /** Ends all sessions of a user and forgets all devices. */
  async endEvery(userId: number): Promise<void> {
    await this.endAll.run(userId);
    await this.devices.forgetEvery('store', userId);
  }

  /** As {@link endEvery}, and opens a new session for the caller. */
  rotate(userId: number, visitor: Visitor): Promise<SignedInTokens> {
    return this.database.transaction(async () => {
      await this.endEvery(userId);
      return this.open(userId, visitor);
    });
  }

  /** Removes expired sessions; runs as a scheduled job. */
  @Job({ name: 'store-sessions', everyMinutes: 15 })
  async removeExpired(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }

  private async withDevice(token: string, userId: number, visitor: Visitor): Promise<SignedInTokens> {
    return { token, device: await this.devices.remember('store', userId, visitor.deviceToken) };
  }

  private draft(userId: number, visitor: Visitor) {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const end = new Date(now.getTime() + STORE_SESSION_SECONDS * 1_000);
    return { token, values: [hashToken(token), userId, visitor.ip.slice(0, 64), visitor.userAgent.slice(0, 255), now, now, end] as const };
  }
}
