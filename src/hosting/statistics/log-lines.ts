import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { type HostingAccount, SiteDomain } from '../entities/index.js';
import { SitesAddress } from '../sites-address.js';

import { type LogEntry, readLogLine } from './log-entry.js';

/** Maximum own names of a site that are excluded as referrers. */
const MAX_NAMES = 2_000;

/** Reads the data needed to count the log of a site. */
@Injectable()
export class LogLines {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly address: SitesAddress,
  ) {}

  /** Parses a line, with its time in the time zone of the installation; null if it is invalid. */
  read(line: string): LogEntry | null {
    return readLogLine(line, this.config.timezone);
  }

  /** Returns the names of a site: referrers with these names are internal. */
  async namesOf({ id, username }: Pick<HostingAccount, 'id' | 'username'>): Promise<ReadonlySet<string>> {
    const bound = await this.database.repository(SiteDomain).find({ where: { accountId: id }, select: { name: true }, take: MAX_NAMES });
    return new Set([this.address.nameOf(username), ...bound.map(({ name }) => name)]);
  }
}
