import { Injectable } from '@nestjs/common';

import { HOUR_MS, legacyDay } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database, type SqlValue } from '../database/index.js';
import { Quiet } from '../jobs/index.js';

/** A count on the page of a restored installation. */
export interface RestoredNumber {
  /** Text key. */
  readonly text: string;
  readonly count: number;
}

/** Shown to the administrator before releasing a restored installation. */
export interface RestoredView {
  readonly madeAt: Date;
  readonly restoredAt: Date;
  readonly panel: string;
  /** Hours between the backup and now. */
  readonly hours: number;
  /** Existing data. */
  readonly content: readonly RestoredNumber[];
  /** Actions that would run automatically soon after the release. */
  readonly would: readonly RestoredNumber[];
}

/** Reports what a restored installation contains and what would happen after its release. */
@Injectable()
export class RestoredState {
  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
    private readonly quiet: Quiet,
  ) {}

  /** Returns the view data; null if the installation is not held. */
  async view(): Promise<RestoredView | null> {
    const restored = await this.quiet.current();
    if (!restored) return null;
    const now = this.clock.now();
    const today = legacyDay(now, this.clock.timezone);
    const count = async (text: string, from: string, params: readonly SqlValue[] = []): Promise<RestoredNumber> => {
      const row = await this.database.statement<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`).get(...params);
      return { text, count: Number(row!.n) };
    };
    return {
      madeAt: restored.madeAt,
      restoredAt: restored.restoredAt,
      panel: restored.panel,
      hours: Math.max(0, Math.round((now.getTime() - restored.madeAt.getTime()) / HOUR_MS)),
      content: await Promise.all([
        count('backup.has_hosts', '{HostingAccount}'),
        count('backup.has_orders', "{Order} WHERE {Order.status} = 'paid'"),
        count('backup.has_nodes', '{HostingNode}'),
      ]),
      would: await Promise.all([
        count('backup.would_pause', "{HostingAccount} WHERE {HostingAccount.state} = 'active' AND {HostingAccount.expiresOn} < ?", [today]),
        count('backup.would_close', "{Order} WHERE {Order.status} = 'unpaid'"),
        count('backup.would_deliver', "{EventDelivery} WHERE {EventDelivery.state} IN ('pending', 'running')"),
        count('backup.would_send', "{NodeTask} WHERE {NodeTask.status} IN ('pending', 'running')"),
        count('backup.would_work', "{Task} WHERE {Task.state} IN ('waiting', 'running')"),
      ]),
    };
  }
}
