import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { setCurrency } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, Generations } from '../database/index.js';
import { SiteConfig } from './entities/index.js';

const GENERATION = 'site';
/**
 * Settings of which the operation log tells no more than that they were changed, besides those called a password or a
 * key: the API key, and pictures.
 */
const NEVER_SHOWN = ['api', 'loginLogo', 'homeLogo', 'menuLogo', 'siteIcon', 'homeImage'];

/** What the panel keeps for itself of them: nothing anybody changed. */
const NEVER_TOLD: ReadonlySet<string> = new Set(['payGateways']);

/** Columns of the row that are written. */
export type SiteChange = Partial<Omit<SiteConfig, 'id'>>;

/** The site's configuration: one row, kept in memory, read again when any process changes it. */
@Injectable()
export class SiteSettings {
  private row: SiteConfig | null = null;

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
  ) {}

  /** Reads the row and follows its changes from now on. */
  async start(): Promise<void> {
    await this.generations.follow(GENERATION, () => this.reload());
    await this.reload();
  }

  /** Whether the row has been read; see {@link start}. */
  get isRead(): boolean {
    return this.row !== null;
  }

  /** The configuration as of at most a second ago. @throws Error before {@link start} */
  get current(): Readonly<SiteConfig> {
    if (!this.row) throw new Error('The site settings have not been read yet.');
    return this.row;
  }

  /**
   * Holds the row until the transaction of the caller ends: what is decided once in the whole installation, such as the last place of a
   * list or the next number of a receipt, is decided one after the other here.
   *
   * @returns the row as it is in this transaction, however long ago another process changed it
   */
  async hold(): Promise<Readonly<SiteConfig>> {
    await this.database.lockRow('SiteConfig', 'id', 1);
    return this.read();
  }

  /**
   * Changes columns of the row, everywhere.
   *
   * @param check sees the row once nobody else can change it any more; what it throws refuses the change
   */
  async change(values: SiteChange, check?: (row: Readonly<SiteConfig>) => void): Promise<void> {
    if (Object.keys(values).length === 0) return;
    await this.changeFrom((row) => {
      check?.(row);
      return values;
    });
  }

  /**
   * The same for values that come of the present ones.
   *
   * @param next sees the row once nobody else can change it any more, and writes what belongs to the change: both are there, or neither.
   * null leaves the row as it is, and so does what it throws
   * @returns whether the row was written
   * @throws Error in a transaction of the caller's: what this process has read would be wrong once that rolls back
   */
  async changeFrom(next: (row: Readonly<SiteConfig>) => SiteChange | null | Promise<SiteChange | null>): Promise<boolean> {
    if (this.database.inTransaction) throw new Error('The settings are changed in a transaction of their own.');
    const changed = await this.database.transaction(async () => {
      const before = await this.hold();
      const values = await next(before);
      if (!values) return false;
      await this.database.repository(SiteConfig).update({ id: 1 }, values);
      await this.generations.bump(GENERATION);
      const told = Object.fromEntries(Object.entries(values).filter(([name]) => !NEVER_TOLD.has(name)));
      this.database.noteChange({ of: 'settings', secret: NEVER_SHOWN }, before, told);
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

/** Writes the configuration row of a new installation; does nothing where there is one. Runs under the start-up lock. */
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
