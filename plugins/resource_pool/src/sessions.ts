import { hash, randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { SVC_FACADE, type CallContext, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { POOL_DATABASE } from './pool-database.js';
import { Pools, type Pool } from './pools.js';

const COOKIE = 'pool_token';
/** Lifetime of a session, in seconds. */
const SECONDS = 7 * 24 * 3_600;

/**
 * Sessions of sub-resellers. The cookie contains a random token, the row its SHA-256. Rows are deleted when the pool is disabled or deleted
 * or its password changes, which ends all sessions in every process.
 */
@Injectable()
export class Sessions {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(POOL_DATABASE) private readonly db: PluginDatabase,
    @Inject(Pools) private readonly pools: Pools,
  ) {}

  /** Returns the signed-in pool; null without a session, and while the pool is disabled. */
  async current(ctx: Pick<CallContext, 'cookies'>): Promise<Pool | null> {
    const token = ctx.cookies[COOKIE] ?? '';
    if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null;
    const [row] = await this.db.query<{ pool_id: number }>('SELECT pool_id FROM {session} WHERE token_hash = ? AND expires_at > ?', [
      hashOf(token),
      new Date().toISOString(),
    ]);
    const pool = row ? await this.pools.find(Number(row.pool_id)) : null;
    return pool?.enabled ? pool : null;
  }

  /** Opens a session. @returns its `Set-Cookie` line */
  async open(pool: Pool): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.db.run('INSERT INTO {session} (pool_id, token_hash, expires_at) VALUES (?, ?, ?)', [
      pool.id,
      hashOf(token),
      new Date(Date.now() + SECONDS * 1_000).toISOString(),
    ]);
    return this.cookie(token, SECONDS);
  }

  /** Ends the request's session. @returns the `Set-Cookie` line that removes the cookie */
  async close(ctx: Pick<CallContext, 'cookies'>): Promise<string> {
    await this.db.run('DELETE FROM {session} WHERE token_hash = ?', [hashOf(ctx.cookies[COOKIE] ?? '')]);
    return this.cookie('', 0);
  }

  /** Ends all sessions of a pool. */
  async endAll(poolId: number): Promise<void> {
    await this.db.run('DELETE FROM {session} WHERE pool_id = ?', [poolId]);
  }

  /** Deletes expired sessions. */
  async sweep(): Promise<void> {
    await this.db.run('DELETE FROM {session} WHERE expires_at <= ?', [new Date().toISOString()]);
  }

  private cookie(token: string, seconds: number): string {
    const secure = this.svc.site.url().startsWith('https:') ? '; Secure' : '';
    return `${COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}

const hashOf = (token: string): string => hash('sha256', token, 'hex');
