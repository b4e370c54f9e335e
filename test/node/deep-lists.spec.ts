import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ZonedClock } from '../../src/config/index.js';
import type { Database } from '../../src/database/index.js';
import { AgentNode, ForbiddenScan, NodeTask } from '../../src/agents/index.js';
import { ScanList } from '../../src/agents/scans/scan-list.js';
import { TaskList } from '../../src/agents/tasks/task-list.js';

import { createTestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';

/** Enough for a list to store its positions: it starts to at 2,048 rows and skips the newest 1,024. */
const ROWS = 4_000;
const LIMIT = 20;

let database: Database;
let dispose: () => Promise<void>;
let tasks: TaskList;
let scans: ScanList;

/** A third of everything belongs to another node, a seventh failed, and a minute has some fifty scans. */
const nodeOf = (n: number): string => (n % 3 ? 'node-1' : 'node-2');
const statusOf = (n: number): 'success' | 'failed' => (n % 7 ? 'success' : 'failed');
const minuteOf = (n: number): Date => new Date(Date.UTC(2026, 0, 1, 0, (n * 37) % 80));

async function insert(rows: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 1; from <= ROWS; from += 250) await rows(from, Math.min(from + 250, ROWS + 1));
}
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  tasks = new TaskList(database, made.place.config);
  scans = new ScanList(database, new ZonedClock(new ManualClock(), made.place.config));
  const now = new Date();
  for (const nodeId of ['node-1', 'node-2'])
    await database.repository(AgentNode).insert({ nodeId, secret: 's', capabilities: [], createdAt: now, updatedAt: now });
  await insert((from, to) =>
    database.repository(NodeTask).insert(
      range(from, to).map((n) => ({
        taskId: `task-${n}`,
        nodeId: nodeOf(n),
        action: n % 2 ? 'ping' : 'forbidden_scan',
        payload: { n },
        result: { n },
        status: statusOf(n),
        createdAt: now,
      })),
    ),
  );
  await insert((from, to) =>
    database.repository(ForbiddenScan).insert(
      range(from, to).map((n) => ({
        taskId: `scan-${n}`,
        nodeId: nodeOf(n),
        status: statusOf(n),
        matchCount: n % 5,
        summary: { n },
        createdAt: minuteOf(n),
      })),
    ),
  );
});
afterAll(() => dispose());

/** The maximum number of rows skipped by any statement of `work`; 0 if it counts, but reads from the start. */
async function passedOver(work: () => Promise<unknown>): Promise<number> {
  const { query } = database;
  let most = 0;
  database.query = (sql, params = []) => {
    if (sql.includes('OFFSET')) most = Math.max(most, Number(params.at(-1)));
    return query.call(database, sql, params) as Promise<never[]>;
  };
  try {
    await work();
  } finally {
    delete (database as Partial<Database>).query;
  }
  return most;
}

interface Look {
  readonly page: number;
  readonly sort?: string;
  readonly sortOrder: 'asc' | 'desc';
}
type Filter = Parameters<TaskList['page']>[1] & Parameters<ScanList['scans']>[1];
const idsOf = (rows: readonly object[]): string[] => (rows as { task_id: string }[]).map((row) => row.task_id);
const lists = {
  tasks: { name: 'task', look: (query: Look, filter: Filter) => tasks.page({ ...query, limit: LIMIT }, filter) },
  scans: { name: 'scan', look: (query: Look, filter: Filter) => scans.scans({ ...query, limit: LIMIT }, filter) },
};

describe.each(Object.keys(lists) as (keyof typeof lists)[])('the list of %s', (which) => {
  const { name, look } = lists[which];
  const filters: [Filter, (n: number) => boolean][] = [
    [{}, () => true],
    [{ nodeId: 'node-2' }, (n) => nodeOf(n) === 'node-2'],
    [{ status: 'success' }, (n) => statusOf(n) === 'success'],
    [{ nodeId: 'node-1', status: 'failed' }, (n) => nodeOf(n) === 'node-1' && statusOf(n) === 'failed'],
  ];
  const sorts = which === 'scans' ? [undefined, 'created_at'] : [undefined];

  it.each(filters.flatMap(([filter, fits]) => sorts.map((sort) => ({ filter, fits, sort }))))(
    'returns any page of %o, in both directions, each row once',
    async ({ filter, fits, sort }) => {
      const all = range(1, ROWS + 1).filter(fits);
      if (sort) all.sort((a, b) => minuteOf(a).getTime() - minuteOf(b).getTime() || a - b);
      const last = Math.ceil(all.length / LIMIT);
      for (const sortOrder of ['asc', 'desc'] as const) {
        const wanted = sortOrder === 'asc' ? all : [...all].reverse();
        for (const page of [1, 2, Math.floor(last / 3), Math.floor(last / 2), last - 1, last, last + 1, last * 50]) {
          const { total, rows } = await look({ page, sort, sortOrder }, filter);
          expect([page, total, idsOf(rows)]).toEqual([
            page,
            all.length,
            wanted.slice((page - 1) * LIMIT, page * LIMIT).map((n) => `${name}-${n}`),
          ]);
        }
      }
    },
  );

  it.each(sorts)('does not scan to a deep page once it knows its positions (%s)', async (sort) => {
    const deep = () => look({ page: ROWS / LIMIT / 2, sort, sortOrder: 'desc' }, {});
    await expect.poll(() => passedOver(deep), { timeout: 20_000 }).toBeLessThan(200);
  });
});

describe('a row of a deep page', () => {
  it('is complete', async () => {
    const { rows } = await tasks.page({ page: 100, limit: LIMIT, sortOrder: 'asc' }, {});
    expect(rows[0]).toMatchObject({
      task_id: 'task-1981',
      node_id: 'node-1',
      action: 'ping',
      status: 'failed',
      attempts: 0,
      payload_text: '{"n":1981}',
      result_text: '{"n":1981}',
      error: '',
      pulled_at: '',
    });
    const { rows: found } = await scans.scans({ page: 100, limit: LIMIT, sortOrder: 'asc' }, {});
    expect(found[0]).toMatchObject({ task_id: 'scan-1981', node_id: 'node-1', status: 'failed', matches_count: 1, summary: { n: 1981 } });
  });

  it('is shown in its current state, and counted', async () => {
    const before = await tasks.page({ page: 60, limit: LIMIT, sortOrder: 'asc' }, { status: 'failed' });
    await database.repository(NodeTask).update({ taskId: 'task-7' }, { status: 'success' });
    const after = await tasks.page({ page: 60, limit: LIMIT, sortOrder: 'asc' }, { status: 'failed' });
    expect(after.total).toBe(before.total - 1);
    await database.repository(NodeTask).update({ taskId: 'task-7' }, { status: 'failed' });
  });
});
