import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { setCurrency } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, Generations } from '../database/index.js';
import { SiteConfig } from './entities/index.js';

const GENERATION = 'site';
/** Settings whose values are not written to the operation log, besides those named like a password or a key: the API key, and images. */
const NEVER_SHOWN = ['api', 'loginLogo', 'homeLogo', 'menuLogo', 'siteIcon', 'homeImage'];

/** Internal bookkeeping, which is not logged as a change. */
const NEVER_LOGGED: ReadonlySet<string> = new Set(['payGateways']);

/** Columns to write. */
export type SiteChange = Partial<Omit<SiteConfig, 'id'>>;

/** The site configuration: a single row, cached in memory, reloaded when any process changes it. */
@Injectable()
export class SiteSettings {
  private row: SiteConfig | null = null;

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
  ) {}

  /** Loads the row and starts following its changes. */
  async start(): Promise<void> {
    await this.generations.follow(GENERATION, () => this.reload());
    await this.reload();
  }

  /** Whether the row is loaded; see {@link start}. */
  get isRead(): boolean {
    return this.row !== null;
  }

  /** The configuration, at most a second old. @throws Error before {@link start} */
  get current(): Readonly<SiteConfig> {
    if (!this.row) throw new Error('The site settings have not been read yet.');
    return this.row;
  }

  /**
   * Locks the row until the caller's transaction ends. Serializes decisions that are unique in the installation, such as the last
   * free slot of a list or the next number of a receipt.
   *
   * @returns the row as seen by this transaction, even if another process has just changed it
   */
  async hold(): Promise<Readonly<SiteConfig>> {
    await this.database.lockRow('SiteConfig', 'id', 1);
    return this.read();
  }

  /**
   * Changes columns of the row, for all processes.
   *
   * @param check receives the locked row; throwing rejects the change
   */
  async change(values: SiteChange, check?: (row: Readonly<SiteConfig>) => void): Promise<void> {
    if (Object.keys(values).length === 0) return;
    await this.changeFrom((row) => {
      check?.(row);
      return values;
    });
  }

  /**
   * As {@link change}, for values derived from the current ones.
   *
   * @param next receives the locked row; its own writes are committed together with the change. Returning null or throwing leaves the row
   * unchanged
   * @returns whether the row was written
   * @throws Error inside another transaction: the values cached by this process would be wrong after a rollback
   */
  async changeFrom(next: (row: Readonly<SiteConfig>) => SiteChange | null | Promise<SiteChange | null>): Promise<boolean> {
    if (this.database.inTransaction) throw new Error('The settings must be changed in a separate transaction.');
    const changed = await this.database.transaction(async () => {
      const before = await this.hold();
      const values = await next(before);
      if (!values) return false;
      await this.database.repository(SiteConfig).update({ id: 1 }, values);
      await this.generations.bump(GENERATION);
      const logged = Object.fromEntries(Object.entries(values).filter(([name]) => !NEVER_LOGGED.has(name)));
      this.database.noteChange({ of: 'settings', secret: NEVER_SHOWN }, before, logged);
      return true;
    });
    if (!changed) return false;
    await this.reload();
    await this.generations.catchUp(GENERATION);
    return true;
  }

  private async reload(): Promise<void> {
    this.row = await this.read();
    setCurrency(this.row.currency);
  }

  private read(): Promise<SiteConfig> {
    return this.database.repository(SiteConfig).findOneByOrFail({ id: 1 });
  }
}

/** Inserts the configuration row of a new installation; does nothing if it exists. Runs under the startup lock. */
export async function ensureSiteConfig(database: Database, config: AppConfig): Promise<void> {
  const rows = database.repository(SiteConfig);
  if (await rows.existsBy({ id: 1 })) return;
  await rows.insert({
    id: 1,
    name: 'SVC Panel',
    api: config.apiKey ?? randomBytes(24).toString('hex'),
    payMethods: [],
  });
}
