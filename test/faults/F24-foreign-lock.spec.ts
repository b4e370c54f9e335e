import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DatabaseBusy, withStartUpLock } from '../../src/database/index.js';
import { retryWhileBusy } from '../../src/database/sqlite-busy.js';
import { TestPanel } from '../support/panel.js';
import { createTestPlace } from '../support/database.js';

/** Another program using the database: a copy being made, someone's `sqlite3`. */
class Foreigner {
  private readonly handle: Sqlite.Database;

  constructor(path: string) {
    this.handle = new Sqlite(path, { timeout: 1_000 });
  }

  lock(): void {
    this.handle.exec('BEGIN IMMEDIATE');
  }

  unlock(): void {
    this.handle.exec('ROLLBACK');
  }

  close(): void {
    this.handle.close();
  }
}

const probe = await createTestPlace({});
const isSqlite = probe.config.sqlitePath !== null && probe.config.sqlitePath !== undefined;
await probe.dispose();

describe('F24 waiting for a lock', () => {
  const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });

  it('retries until it is free, without blocking others', async () => {
    let left = 5;
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await expect(
      retryWhileBusy(() => {
        if (left-- > 0) throw busy();
        return 'done';
      }, performance.now()),
    ).resolves.toBe('done');
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(2);
  });

  it('ends in a clear error, immediately for callers that have waited behind others for as long', async () => {
    const failing = (since: number) =>
      retryWhileBusy(
        () => {
          throw busy();
        },
        since,
        50,
      );
    await expect(failing(performance.now())).rejects.toMatchObject({ code: 'DATABASE_BUSY', shape: { status: 503 } });
    const start = performance.now();
    await expect(failing(start - 60)).rejects.toBeInstanceOf(DatabaseBusy);
    expect(performance.now() - start).toBeLessThan(40);
  });

  it('reports any other failure unchanged', async () => {
    await expect(
      retryWhileBusy(() => {
        throw new Error('no such table');
      }, performance.now()),
    ).rejects.toThrow('no such table');
  });
});

describe.runIf(isSqlite)('F24 foreign write lock on SQLite', () => {
  let panel: TestPanel;
  let foreigner: Foreigner;
  beforeAll(async () => {
    panel = await TestPanel.start();
    foreigner = new Foreigner(panel.place.config.sqlitePath!);
  });
  afterAll(async () => {
    foreigner?.close();
    await panel?.close();
  });

  it('writes wait without blocking anything else, and succeed once it is released', async () => {
    foreigner.lock();
    const writing = [
      panel.admin('adddd', { user: 'buyer1', scene: 'test', name: 'Waits', rmb: '1.00' }),
      panel.admin('addzj', { user: 'waits001', pass: 'secret-pass-1', btdh: 'local' }),
      panel.admin('setwz', { name: 'Name' }),
    ];
    const slowest = { health: 0, page: 0 };
    for (let i = 0; i < 30; i += 1) {
      for (const [name, path] of [
        ['health', '/healthz'],
        ['page', '/admin/login'],
      ] as const) {
        const start = performance.now();
        expect((await panel.fetch(path)).status).toBe(200);
        slowest[name] = Math.max(slowest[name], performance.now() - start);
      }
    }
    let settled = 0;
    for (const answer of writing) void answer.then(() => (settled += 1));
    await panel.fetch('/healthz');
    expect(settled).toBe(0);
    foreigner.unlock();
    expect((await Promise.all(writing)).map(({ success, code }) => success || code)).toEqual([true, true, true]);
    // A few milliseconds without a lock; with a synchronous wait, as long as the lock lasts.
    expect(slowest.health).toBeLessThan(1_000);
  });

  it('a second process waits for the first one’s start without freezing', async () => {
    const database = panel.place.config.sqlitePath!;
    const lock = new Foreigner(`${database}.lock`);
    lock.lock();
    let ran = false;
    const { Database } = await import('../../src/database/index.js');
    const waiting = withStartUpLock(panel.get(Database), () => Promise.resolve((ran = true)));
    expect((await panel.fetch('/healthz')).status).toBe(200);
    expect(ran).toBe(false);
    lock.unlock();
    lock.close();
    await waiting;
    expect(ran).toBe(true);
  });
});
