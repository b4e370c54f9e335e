import { hash, randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { SVC_FACADE, type CallContext, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { POOL_DATABASE } from './pool-database.js';
import { Pools, type Pool } from './pools.js';

const COOKIE = 'pool_token';
/** How long a sign-in lasts. */
const SECONDS = 7 * 24 * 3_600;

/**
 * Sign-ins of sub-resellers. The cookie holds a random token, the row its SHA-256. Rows go when the pool is switched off, its password
 * changes or it is deleted, and with them every sign-in, in whatever process.
 */
@Injectable()
export class Sessions {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(POOL_DATABASE) private readonly db: PluginDatabase,
    @Inject(Pools) private readonly pools: Pools,
  ) {}

  /** Whose request it is; null for nobody's, and while the pool is off. */
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

  /** The `Set-Cookie` line of a new one. */
  async open(pool: Pool): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.db.run('INSERT INTO {session} (pool_id, token_hash, expires_at) VALUES (?, ?, ?)', [
      pool.id,
      hashOf(token),
      new Date(Date.now() + SECONDS * 1_000).toISOString(),
    ]);
    return this.cookie(token, SECONDS);
  }

  /** Ends that of the request. @returns the `Set-Cookie` line that takes it away */
  async close(ctx: Pick<CallContext, 'cookies'>): Promise<string> {
    await this.db.run('DELETE FROM {session} WHERE token_hash = ?', [hashOf(ctx.cookies[COOKIE] ?? '')]);
    return this.cookie('', 0);
  }

  /** Ends every one of a pool. */
  async endAll(poolId: number): Promise<void> {
    await this.db.run('DELETE FROM {session} WHERE pool_id = ?', [poolId]);
  }

  /** Removes those whose time is over. */
  async sweep(): Promise<void> {
    await this.db.run('DELETE FROM {session} WHERE expires_at <= ?', [new Date().toISOString()]);
  }

  private cookie(token: string, seconds: number): string {
    const secure = this.svc.site.url().startsWith('https:') ? '; Secure' : '';
    return `${COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}

const hashOf = (token: string): string => hash('sha256', token, 'hex');
