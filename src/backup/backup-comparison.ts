import { statfs } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { HOUR_MS, Clock, legacyTime, type Locale, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';

import type { Manifest } from './archive/manifest.js';

const MB = 1_048_576;

/** Compared entities with their text keys, most important first. */
const COMPARED = [
  ['HostingAccount', 'backup.of_hosts'],
  ['SiteDomain', 'backup.of_domains'],
  ['Order', 'backup.of_orders'],
  ['HostingNode', 'backup.of_servers'],
  ['MonitorTask', 'backup.of_monitors'],
  ['Administrator', 'backup.of_administrators'],
  ['OperationLog', 'backup.of_log'],
] as const;

/** Compares a backup's content with the current state. */
@Injectable()
export class BackupComparison {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Returns the backup's content next to the current counts. */
  async of({ madeAt, panel, engine, tables, rows, files, bytes }: Manifest, locale: Locale): Promise<object> {
    const counts = new Map(Object.entries(tables).map(([name, count]) => [name.toLowerCase(), count]));
    const compared = await Promise.all(
      COMPARED.map(async ([entity, text]) => {
        const now = await this.database.dataSource.getRepository(entity).count();
        const then = counts.get(this.database.dataSource.getMetadata(entity).tableName.toLowerCase()) ?? 0;
        return { text: translate(locale, text), then, now, differs: then !== now };
      }),
    );
    const { bavail, bsize } = await statfs(this.config.dataDir);
    return {
      made_at: legacyTime(new Date(madeAt), this.config.timezone),
      hours: Math.max(0, Math.round((this.clock.now().getTime() - Date.parse(madeAt)) / HOUR_MS)),
      panel,
      other_engine: engine !== this.database.engine,
      compared,
      rows,
      files,
      needed: inMb(bytes),
      free: inMb(bavail * bsize),
      is_tight: bavail * bsize < 2 * bytes,
    };
  }
}

/** @example inMb(1_572_864); // "1.5" */
export const inMb = (bytes: number): string => (bytes === 0 ? 0 : Math.max(bytes / MB, 0.1)).toFixed(1);
