import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { setCurrency } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, Generations, SiteConfig } from '../database/index.js';

const GENERATION = 'site';
/**
 * Settings of which the operation log tells no more than that they were changed, besides those called a password or a
 * key: the API key, and pictures.
 */
const NEVER_TOLD = ['api', 'loginLogo', 'homeLogo', 'menuLogo', 'siteIcon', 'homeImage'];

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

  /** The configuration as of at most a second ago. @throws Error before {@link start} */
  get current(): Readonly<SiteConfig> {
    if (!this.row) throw new Error('The site settings have not been read yet.');
    return this.row;
  }

  /**
   * Changes columns of the row, everywhere.
   *
   * @param check sees the row once nobody else can change it any more; what it throws refuses the change
   */
  async change(values: Partial<Omit<SiteConfig, 'id'>>, check?: (row: Readonly<SiteConfig>) => void): Promise<void> {
    if (Object.keys(values).length === 0) return;
    await this.database.transaction(async () => {
      await this.database.lockRow('SiteConfig', 'id', 1);
      const before = await this.database.repository(SiteConfig).findOneByOrFail({ id: 1 });
      check?.(before);
      await this.database.repository(SiteConfig).update({ id: 1 }, values);
      await this.generations.bump(GENERATION);
      this.database.noteChange({ of: 'settings', secret: NEVER_TOLD }, before, values);
    });
    await this.reload();
    await this.generations.catchUp(GENERATION);
  }

  private async reload(): Promise<void> {
    this.row = await this.database.repository(SiteConfig).findOneByOrFail({ id: 1 });
    this.database.slow.threshold = this.row.slowQueryMs;
    setCurrency(this.row.currency);
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
    payMethods: [{ plugin: 'sandbox', method: 'test', display_name: '沙箱支付 Sandbox', icon: 'mdi-flask-outline', sort: 99 }],
  });
}
