import { Injectable, Module } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { Database, type Statement } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import { SOLD_KINDS, type SoldKind, soldInSql, WARN_PERCENT } from '../accounts/index.js';

const BATCH = 200;

registerNotice({
  kind: 'traffic',
  title: { key: 'hosting.reminder_traffic' },
  texts: [{ key: 'hosting.reminder_traffic_used', params: { percent: 80 } }],
});
registerNotice({
  kind: 'traffic',
  title: { key: 'hosting.reminder_traffic_over' },
  texts: [{ key: 'hosting.reminder_traffic_over_text', params: { percent: 100 } }],
});

for (const kind of ['web', 'database'] as const) {
  registerNotice({
    kind: 'system',
    title: { key: `hosting.reminder_${kind}` },
    texts: [{ key: `hosting.reminder_${kind}_used`, params: { percent: 80 } }],
  });
  registerNotice({
    kind: 'system',
    title: { key: `hosting.reminder_${kind}_over` },
    texts: [{ key: `hosting.reminder_${kind}_over_text`, params: { percent: 104 } }],
  });
}
registerNotice({
  kind: 'system',
  title: { key: 'hosting.reminder_domains' },
  texts: [{ key: 'hosting.reminder_domains_used', params: { used: 4, limit: 5 } }],
});

/** An account that has used most of a quota. */
interface BusyAccount {
  readonly id: number;
  readonly username: string;
  readonly percent: number | string;
  readonly used: number | string;
  readonly quota: number;
}

/** Notifies owners when a quota is almost or completely used up. Months are in the time zone of the installation. */
@Injectable()
export class Reminders {
  private readonly busy: readonly { readonly kind: SoldKind; readonly rows: Statement<BusyAccount> }[];

  constructor(
    database: Database,
    private readonly notices: Notices,
    private readonly clock: ZonedClock,
  ) {
    const busyWith = (kind: SoldKind) => {
      const { limit, used, most } = soldInSql(kind);
      return database.statement<BusyAccount>(
        `SELECT account.{HostingAccount.id} AS id, account.{HostingAccount.username} AS username, ${limit} AS quota, ${used} AS used,
           FLOOR(${used} * 100.0 / (${most})) AS percent
         FROM {HostingAccount} account WHERE account.{HostingAccount.id} > ? AND ${limit} > 0
           AND ${used} * 100 >= ${most} * ${WARN_PERCENT}
           AND account.{HostingAccount.state} IN ('active', 'paused') ORDER BY account.{HostingAccount.id} LIMIT ${BATCH}`,
      );
    };
    this.busy = SOLD_KINDS.map((kind) => ({ kind, rows: busyWith(kind) }));
  }

  /**
   * Sends notices at 80 % of a quota and when it is used up, each once a month and once per quota value.
   *
   * @returns number of notices sent
   */
  @Job({ name: 'limit-reminders', everyMinutes: 10 })
  async ofLimits(turn?: JobTurn): Promise<number> {
    const month = this.clock.today().slice(0, 7);
    let sent = 0;
    for (const { kind, rows } of this.busy) {
      sent += await this.each(
        (last) => rows.all(last),
        (account) => this.notifyOfLimit(kind, account, month),
        turn,
      );
    }
    return sent;
  }

  /** Using all domains is normal and blocks nothing, so that notice is sent only once instead of monthly. */
  private notifyOfLimit(kind: SoldKind, { id, username, percent, used, quota }: BusyAccount, month: string): Promise<number> {
    const isOver = kind !== 'domains' && Number(percent) >= 100;
    const title = `hosting.reminder_${kind}${isOver ? '_over' : ''}`;
    const when = kind === 'domains' ? 'ever' : month;
    return this.notices.send({
      to: { account: username },
      kind: kind === 'traffic' ? 'traffic' : 'system',
      level: isOver ? 'danger' : 'warning',
      key: `${kind}:${id}:${when}:${quota}:${isOver ? 100 : WARN_PERCENT}`,
      title: { key: title },
      text: {
        key: isOver ? `${title}_text` : `${title}_used`,
        params: kind === 'domains' ? { used: Number(used), limit: quota } : { percent: Number(percent) },
      },
      link: kind === 'domains' ? '/user/domains' : '/user/',
    });
  }

  private async each<Row extends { id: number }>(
    next: (last: number) => Promise<Row[]>,
    notify: (row: Row) => Promise<number>,
    turn?: JobTurn,
  ): Promise<number> {
    let sent = 0;
    for (let last = 0; ;) {
      turn?.signal.throwIfAborted();
      const rows = await next(last);
      for (const row of rows) sent += await notify(row);
      if (rows.length < BATCH) return sent;
      last = rows.at(-1)!.id;
    }
  }
}

/** The reminders. Separate from the rest of hosting, which works without notices. */
@Module({ providers: [Reminders] })
export class RemindersModule {}
