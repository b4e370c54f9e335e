import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { ormOptions } from '../ormconfig.js';
import { createDatabase, Paginator, type Database, type RowQuery } from '../src/database/index.js';
import { KeysetAnchors } from '../src/database/keyset-anchors.js';
import type { RowSelection } from '../src/database/row-selection.js';
import { HostingAccount, HostingNode } from '../src/hosting/index.js';

import { createTestDatabase } from './support/database.js';

/** Enough for anchors: they start at 2,048 rows and skip the newest 1,024. */
const ROWS = 4_000;
const NOBODY = { conditions: [], params: [], sort: null } as const;

let database: Database;
/** The same tables through another connection, as in another process. */
let elsewhere: Database;
let list: Paginator<{ id: number }>;
let dispose: () => Promise<void>;
let next = 0;

/** A third never expires; days and states repeat. */
function account(): Partial<HostingAccount> {
  next += 1;
  return {
    username: `user${next}`,
    userKey: `user${next}`,
    passwordHash: 'x',
    nodeCode: 'n',
    createdAt: new Date(0),
    state: next % 7 ? 'active' : 'paused',
    pauseReasons: [],
    expiresOn: next % 3 ? `2026-01-${String(1 + (next % 28)).padStart(2, '0')}` : null,
  };
}

async function add(count: number, to = database): Promise<void> {
  for (let left = count; left > 0; left -= 250) {
    await to.repository(HostingAccount).insert(Array.from({ length: Math.min(left, 250) }, account));
  }
}

const ids = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

/** The expected page, computed from all rows. */
async function expected({ sort, direction, offset, limit, conditions }: RowQuery): Promise<{ total: number; ids: number[] }> {
  const columns = ['id', 'expiresOn', 'state', 'userKey', 'nodeCode'] as const;
  type Row = Record<(typeof columns)[number], string | null> & { id: number };
  // Raw rows: the mapper would take longer for thousands of them than everything else here.
  const names = columns.map((column) => `{HostingAccount.${column}} AS ${column}`);
  const all = await database.statement<Row>(`SELECT ${names.join(', ')} FROM {HostingAccount}`).all();
  const rows = all.filter(({ state }) => conditions.length === 0 || state === 'paused');
  const key = (row: Row): string => (sort === null ? '' : (row[sort as 'expiresOn'] ?? ''));
  rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));
  if (direction === 'desc') rows.reverse();
  return { total: rows.length, ids: ids(rows.slice(offset, offset + limit)) };
}

async function check(query: RowQuery): Promise<void> {
  const { total, rows } = await list.page(query);
  expect({ total, ids: ids(rows) }).toEqual(await expected(query));
}

interface Asked {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** The statements that `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<Asked[]> {
  const { query, first } = database;
  const asked: Asked[] = [];
  database.query = (sql, params = []) => (asked.push({ sql, params }), query.call(database, sql, params) as Promise<never[]>);
  database.first = (sql, params = []) => (asked.push({ sql, params }), first.call(database, sql, params) as Promise<never>);
  try {
    await work();
  } finally {
    delete (database as Partial<Database>).query;
    delete (database as Partial<Database>).first;
  }
  return asked;
}

const walksFar = ({ sql, params }: Asked): boolean => /OFFSET/.test(sql) && Number(params.at(-1)) > 200;
const counts = ({ sql }: Asked): boolean => /COUNT\(\*\)/.test(sql);

/** Waits until the positions of a list are known. */
async function untilMarked(query: RowQuery): Promise<void> {
  await expect.poll(async () => (await statementsOf(() => list.page(query))).some(walksFar), { timeout: 20_000 }).toBe(false);
}

beforeAll(async () => {
  const made = await createTestDatabase();
  database = made.database;
  elsewhere = createDatabase(ormOptions(made.place.config));
  await elsewhere.dataSource.initialize();
  dispose = async () => {
    await elsewhere.dataSource.destroy();
    await made.dispose();
  };
  await database
    .repository(HostingNode)
    .insert({ code: 'n', codeKey: 'n', driver: 'fake', openKey: 'o', signatureKey: 's', system: 1, createdAt: new Date() });
  await add(ROWS);
});
afterAll(() => dispose());
beforeEach(() => {
  list = new Paginator(database, 'HostingAccount', '{HostingAccount}.{HostingAccount.id} AS id');
});

const views: [string, Pick<RowQuery, 'conditions' | 'params' | 'sort'>][] = [
  ['every row', NOBODY],
  ['by a day that may be missing', { ...NOBODY, sort: 'expiresOn' }],
  ['by a text', { ...NOBODY, sort: 'userKey' }],
  ['by what most have in common', { ...NOBODY, sort: 'state' }],
  ['by what all have in common', { ...NOBODY, sort: 'nodeCode' }],
];

describe.each(views)('a list of %s', (_name, view) => {
  it('returns any page of any size in both directions, with and without known positions', async () => {
    const pages: RowQuery[] = [0, 19, 512, 520, 1_300, 1_340, 2_100, ROWS - 700, ROWS - 30, ROWS - 10, ROWS, ROWS * 10].flatMap((offset) =>
      (['asc', 'desc'] as const).map((direction) => ({ ...view, direction, offset, limit: 25 })),
    );
    for (const page of pages) await check(page);
    await untilMarked({ ...view, direction: 'asc', offset: 2_100, limit: 20 });
    for (const page of pages) await check(page);
  });

  it('neither counts everything nor scans far once positions are known', async () => {
    const deep: RowQuery = { ...view, direction: 'desc', offset: ROWS - 600, limit: 20 };
    await list.page(deep);
    await untilMarked(deep);
    for (const page of [deep, { ...deep, offset: 0 }]) {
      const asked = await statementsOf(() => list.page(page));
      expect(asked.filter((one) => counts(one) || walksFar(one))).toEqual([]);
    }
  });
});

it("reflects this process's writes immediately", async () => {
  const repository = database.repository(HostingAccount);
  const paused: RowQuery = {
    conditions: ["{HostingAccount.state} = 'paused'"],
    params: [],
    sort: null,
    direction: 'desc',
    offset: 0,
    limit: 20,
  };
  const writes: [string, () => Promise<unknown>][] = [
    ['an insert', () => add(1)],
    ['a save, which is a transaction of its own', () => repository.save(repository.create(account()))],
    [
      'an update by a statement',
      () =>
        database.statement("UPDATE {HostingAccount} SET {HostingAccount.state} = 'paused' WHERE {HostingAccount.userKey} = 'user1'").run(),
    ],
    ['a deletion of an old row', () => repository.delete({ userKey: 'user3' })],
    ['a deletion in a transaction', () => database.transaction(() => repository.delete({ userKey: 'user4' }))],
    [
      'a transaction that fails',
      () =>
        database
          .transaction(async () => {
            await repository.delete({ userKey: 'user5' });
            throw new Error('no');
          })
          .catch(() => undefined),
    ],
    ['an update of what is sorted by', () => repository.update({ userKey: 'user6' }, { expiresOn: '2026-01-15' })],
  ];
  for (const [, write] of writes) {
    await write();
    for (const [, view] of views) {
      await check({ ...view, direction: 'desc', offset: 0, limit: 5 });
      await check({ ...view, direction: 'asc', offset: 2_345, limit: 5 });
    }
    await check(paused);
  }
});

it('sees its own rows inside a transaction', async () => {
  const before = (await list.page({ ...NOBODY, direction: 'desc', offset: 0, limit: 1 })).total;
  const inside = await database.transaction(async () => {
    await add(2);
    return (await list.page({ ...NOBODY, direction: 'desc', offset: 0, limit: 1 })).total;
  });
  expect(inside).toBe(before + 2);
});

it('reflects another process: rows immediately, totals and positions within their interval', async () => {
  const deep: RowQuery = { ...NOBODY, direction: 'desc', offset: 2_500, limit: 20 };
  await list.page(deep);
  await untilMarked(deep);
  await add(3, elsewhere);
  const newest: RowQuery = { ...deep, offset: 0 };
  expect(ids((await list.page(newest)).rows)).toEqual((await expected(newest)).ids);
  const oldest = await elsewhere.repository(HostingAccount).find({ select: { id: true }, order: { id: 'ASC' }, take: 2 });
  await elsewhere.repository(HostingAccount).delete(ids(oldest));
  const { total } = await expected(deep);
  await expect.poll(async () => (await list.page(deep)).total, { timeout: 10_000 }).toBe(total);
  await check(deep);
});

describe('a list that is slow to count', () => {
  const page = { direction: 'desc', offset: 0, limit: 20 } as const;
  let now = 0;
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => vi.restoreAllMocks());

  /** List whose counts end when the test ends them. */
  function slowList(took: number) {
    const under: ((total: number | Error) => void)[] = [];
    const count = (): Promise<number> =>
      new Promise((resolve, reject) =>
        under.push((total) => {
          now += took;
          if (total instanceof Error) reject(total);
          else resolve(total);
        }),
      );
    const selection = {
      grows: false,
      orderly: false,
      count,
      countWithRowsFrom: async () => ({ total: await count(), since: 0 }),
      plainRows: () => Promise.resolve([]),
    };
    const writes = { inserted: 0, updated: 0, deleted: 0 };
    /** Ends the running count. */
    const end = async (total: number | Error): Promise<void> => {
      while (under.length === 0) await nextTurn();
      under.shift()!(total);
      await nextTurn();
    };
    return { under, end, writes, list: new KeysetAnchors<never>(selection as unknown as RowSelection<never>, writes) };
  }
  const first = async (made: ReturnType<typeof slowList>, total: number): Promise<void> => {
    const asked = made.list.page(page);
    await made.end(total);
    expect((await asked).total).toBe(total);
  };

  it('is recounted in the background, and nobody waits', async () => {
    const made = slowList(150);
    const { list: slow, under, end, writes } = made;
    await first(made, 1_000);
    now += 3_000;
    expect((await slow.page(page)).total).toBe(1_000);
    expect((await slow.page(page)).total).toBe(1_000);
    expect(under).toHaveLength(1);
    await end(1_001);
    await expect.poll(async () => (await slow.page(page)).total).toBe(1_001);
    expect(under).toHaveLength(0);
    now += 4_000;
    expect((await slow.page(page)).total).toBe(1_001);
    await end(1_002);
    await expect.poll(async () => (await slow.page(page)).total).toBe(1_002);
    // This process's writes are visible immediately, however long it takes.
    writes.inserted += 1;
    const asked = slow.page(page);
    await end(1_003);
    expect((await asked).total).toBe(1_003);
  });

  it('is waited for when it was not requested for a long time, and when it is fast', async () => {
    const made = slowList(150);
    await first(made, 5);
    now += 11_000;
    const late = made.list.page(page);
    await made.end(6);
    expect((await late).total).toBe(6);
    const quick = slowList(2);
    await first(quick, 5);
    now += 2_100;
    const soon = quick.list.page(page);
    await quick.end(7);
    expect((await soon).total).toBe(7);
  });

  it('shows the reason of a failing count only where the count is needed', async () => {
    const made = slowList(150);
    await first(made, 5);
    now += 3_000;
    expect((await made.list.page(page)).total).toBe(5);
    await made.end(new Error('the database is away'));
    expect((await made.list.page(page)).total).toBe(5);
    await made.end(new Error('the database is away'));
    now += 20_000;
    const late = made.list.page(page);
    const heard = expect(late).rejects.toThrow('away');
    await made.end(new Error('still away'));
    await heard;
  });
});

it('is correct after any sequence of writes and reads', async () => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('add' as const), n: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ act: fc.constant('remove' as const), n: fc.nat(5_000) }),
    fc.record({ act: fc.constant('move' as const), n: fc.nat(5_000) }),
    fc.record({
      act: fc.constant('look' as const),
      n: fc.nat(4_500),
      view: fc.constantFrom(...views.map(([, view]) => view)),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      for (const one of steps) {
        if (one.act === 'add') await add(one.n);
        else if (one.act === 'remove') await database.repository(HostingAccount).delete({ userKey: `user${one.n}` });
        else if (one.act === 'move')
          await database.repository(HostingAccount).update({ userKey: `user${one.n}` }, { expiresOn: one.n % 2 ? null : '2026-01-09' });
        else await check({ ...one.view, direction: one.direction, offset: one.n, limit: 10 });
      }
    }),
    { numRuns: 40 },
  );
});
