import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { type HostingAccount, SiteDomain } from '../entities/index.js';
import { SitesAddress } from '../sites-address.js';

import { type LogEntry, readLogLine } from './log-entry.js';

/** Names of a site its visitors may come from. */
const MOST_NAMES = 2_000;

/** What is to be known to count the log of a site. */
@Injectable()
export class LogLines {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly address: SitesAddress,
  ) {}

  /** Reads a line, its time in the zone of the installation; null for what is none. */
  read(line: string): LogEntry | null {
    return readLogLine(line, this.config.timezone);
  }

  /** Names of a site: who comes from one of them was there before. */
  async namesOf({ id, username }: Pick<HostingAccount, 'id' | 'username'>): Promise<ReadonlySet<string>> {
    const bound = await this.database.repository(SiteDomain).find({ where: { accountId: id }, select: { name: true }, take: MOST_NAMES });
    return new Set([this.address.nameOf(username), ...bound.map(({ name }) => name)]);
  }
}
