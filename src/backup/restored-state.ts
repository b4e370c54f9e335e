import { Injectable } from '@nestjs/common';

import { HOUR_MS, Clock, legacyDay } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, type SqlValue } from '../database/index.js';
import { Quiet } from '../jobs/index.js';

/** Something that is counted for the page of a restored installation. */
export interface RestoredNumber {
  /** Text key. */
  readonly text: string;
  readonly count: number;
}

/** What an administrator sees before he lets a restored installation go. */
export interface RestoredView {
  readonly madeAt: Date;
  readonly restoredAt: Date;
  readonly panel: string;
  /** Between the state that was put back and now. */
  readonly hours: number;
  /** What there is. */
  readonly content: readonly RestoredNumber[];
  /** What would be done by itself, soon after it is let go. */
  readonly would: readonly RestoredNumber[];
}

/** Tells what a restored installation holds, and what would happen if it were let go. */
@Injectable()
export class RestoredState {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly quiet: Quiet,
  ) {}

  /** Null where nothing is held. */
  async view(): Promise<RestoredView | null> {
    const restored = await this.quiet.current();
    if (!restored) return null;
    const now = this.clock.now();
    const today = legacyDay(now, this.config.timezone);
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
