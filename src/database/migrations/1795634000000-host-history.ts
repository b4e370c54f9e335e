import type { MigrationInterface, QueryRunner } from 'typeorm';

import { createTable, id, integer, string, text, time } from './schema.js';

const BATCH = 500;

interface EventRow {
  id: number;
  hook: string;
  subject: string;
  source: string;
  row: string;
  created_at: unknown;
}

/** What happened to hosts is kept as long as they are: until now it was read from events, which go after 30 days. */
export class HostHistory1795634000000 implements MigrationInterface {
  name = 'HostHistory1795634000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'SVC_zj_history',
      [
        id(),
        integer('host_id'),
        string('what', 64),
        string('source', 64),
        text('params'),
        text('changes', { isNullable: true }),
        time('created_at'),
      ],
      { indexes: { IX_SVC_zj_history_host: ['host_id', 'id'] } },
    );
    for (let last = 0; ;) {
      const events = (await runner.query(
        `SELECT e.id, e.hook, e.subject, e.source, e.\`row\`, e.created_at FROM SVC_event e
         WHERE e.id > ? AND e.hook IN ('host.created', 'host.paused', 'host.unpaused', 'host.renewed') AND e.source <> 'admin'
         ORDER BY e.id LIMIT ${BATCH}`,
        [last],
      )) as EventRow[];
      for (const event of events) await this.copy(runner, event);
      if (events.length < BATCH) return;
      last = events.at(-1)!.id;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('SVC_zj_history');
  }

  private async copy(runner: QueryRunner, { hook, subject, source, row, created_at }: EventRow): Promise<void> {
    const { ztyy, old_date, new_date } = JSON.parse(row) as Record<string, unknown>;
    const params = Object.fromEntries(
      Object.entries({ reasons: ztyy, from: old_date, to: new_date }).filter(([, value]) => typeof value === 'string'),
    );
    await runner.query('INSERT INTO SVC_zj_history (host_id, what, source, params, created_at) VALUES (?, ?, ?, ?, ?)', [
      Number(subject.slice('host:'.length)),
      hook,
      source,
      JSON.stringify(params),
      created_at,
    ]);
  }
}
