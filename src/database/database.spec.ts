import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';

import { type Database, Generation, isUniqueViolation } from './index.js';
import { SiteConfig } from '../site/entities/index.js';

let database: Database;
let dispose: () => Promise<void>;

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
});
afterAll(() => dispose());

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function setValue(name: string, value: number): Promise<void> {
  await database.dataSource.manager.upsert(Generation, { name, value }, ['name']);
}

async function getValue(name: string): Promise<number | undefined> {
  return (await database.repository(Generation).findOneBy({ name }))?.value;
}

describe('schema', () => {
  it('matches the entities, on the engine of this run', async () => {
    const pending = await database.dataSource.driver.createSchemaBuilder().log();
    expect(pending.upQueries.map((query) => query.query)).toEqual([]);
  });

  it('can be reverted and migrated again', async () => {
    const other = await createTestDatabase();
    await other.database.dataSource.undoLastMigration();
    await other.database.dataSource.runMigrations();
    expect(await other.database.repository(SiteConfig).count()).toBe(0);
    await other.dispose();
  });
});

describe('transaction', () => {
  it('keeps overlapping transactions apart: one rolls back, the other commits, a single write stays', async () => {
    let firstBegan!: () => void;
    const began = new Promise<void>((resolve) => (firstBegan = resolve));
    const failing = database.transaction(async () => {
      await setValue('overlap-a', 1);
      firstBegan();
      for (let round = 0; round < 20; round += 1) await turn();
      throw new Error('no');
    });
    await began;
    const committing = database.transaction(() => setValue('overlap-b', 2));
    const plain = setValue('overlap-c', 3);
    await expect(failing).rejects.toThrow('no');
    await Promise.all([committing, plain]);
    expect(await getValue('overlap-a')).toBeUndefined();
    expect(await getValue('overlap-b')).toBe(2);
    expect(await getValue('overlap-c')).toBe(3);
  });

  it('sees its own writes, which nobody else sees before the commit', async () => {
    await setValue('visible', 1);
    let written!: () => void;
    let looked!: () => void;
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const hasLooked = new Promise<void>((resolve) => (looked = resolve));
    const writing = database.transaction(async () => {
      await setValue('visible', 2);
      expect(await getValue('visible')).toBe(2);
      written();
      await hasLooked;
    });
    await isWritten;
    const outside = await getValue('visible');
    looked();
    await writing;
    expect(outside).toBe(1);
    expect(await getValue('visible')).toBe(2);
  });

  it('joins an open one instead of deadlocking, with repositories, statements and nested calls', async () => {
    const read = database.statement<{ value: number }>('SELECT {Generation.value} AS value FROM {Generation} WHERE {Generation.name} = ?');
    await expect(
      database.transaction(async () => {
        await setValue('nested', 1);
        await database.transaction(() => setValue('nested', 2));
        expect(Number((await read.get('nested'))?.value)).toBe(2);
        await database.repository(Generation).save({ name: 'nested', value: 3 });
        throw new Error('undo all');
      }),
    ).rejects.toThrow('undo all');
    expect(await getValue('nested')).toBeUndefined();
  });

  it('runs callbacks after the commit, and never after a rollback', async () => {
    const seen: string[] = [];
    await database.transaction(async () => {
      database.afterCommit(() => seen.push(`commit, in transaction: ${database.inTransaction}`));
      await setValue('after', 1);
    });
    await database
      .transaction(async () => {
        database.afterCommit(() => seen.push('rollback'));
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(seen).toEqual(['commit, in transaction: false']);
  });

  it('does not let unawaited work use the ended transaction', async () => {
    let late!: Promise<void>;
    let ended!: () => void;
    const hasEnded = new Promise<void>((resolve) => (ended = resolve));
    await database.transaction(async () => {
      late = hasEnded.then(() => setValue('late', 7));
    });
    ended();
    await late;
    expect(await getValue('late')).toBe(7);
  });

  it('commits only if the work returns true', async () => {
    const seen: string[] = [];
    const attempt = (name: string, counts: boolean): Promise<boolean> =>
      database.transactionIf(async () => {
        await setValue(name, 1);
        database.afterCommit(() => seen.push(name));
        return counts;
      });
    expect([await attempt('kept', true), await attempt('undone', false)]).toEqual([true, false]);
    expect([await getValue('kept'), await getValue('undone')]).toEqual([1, undefined]);
    expect(seen).toEqual(['kept']);
    await expect(database.transaction(() => attempt('inside', false))).rejects.toThrow('nested in another one');
  });

  it('flushes a durable commit to disk, and only that', async () => {
    if (database.engine !== 'sqlite') return;
    const level = async (): Promise<unknown> => (await database.dataSource.query('PRAGMA synchronous'))[0].synchronous;
    const [FULL, NORMAL] = [2, 1];
    expect(await level()).toBe(NORMAL);
    await database.transaction(async () => expect(await level()).toBe(FULL), { durable: true });
    await database.transaction(async () => Promise.reject(new Error('no')), { durable: true }).catch(() => undefined);
    await database.transaction(async () => expect(await level()).toBe(NORMAL));
    expect(await level()).toBe(NORMAL);
  });

  it('distinguishes a unique key violation from other errors', async () => {
    await setValue('unique', 1);
    const again = database.repository(Generation).insert({ name: 'unique', value: 2 });
    expect(isUniqueViolation(await again.catch((error: unknown) => error))).toBe(true);
    expect(isUniqueViolation(new Error('x'))).toBe(false);
  });
});

describe('random interleavings', () => {
  type Step = { kind: 'plain' } | { kind: 'commit' | 'rollback'; writes: number; yields: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constant<Step>({ kind: 'plain' }),
    fc.record({
      kind: fc.constantFrom('commit' as const, 'rollback' as const),
      writes: fc.integer({ min: 1, max: 3 }),
      yields: fc.integer({ min: 0, max: 3 }),
    }),
  );

  // Ten times that found nothing more; `DATABASE_ROUNDS` asks for as many as one likes.
  const rounds = Number(process.env.DATABASE_ROUNDS ?? 1_000);

  it(`leave exactly what committed, in ${rounds} rounds`, { timeout: 600_000 }, async () => {
    const write = database.statement(`INSERT INTO {Generation} ({Generation.name}, {Generation.value}) VALUES (?, ?)`);
    const names = database.statement<{ name: string }>('SELECT {Generation.name} AS name FROM {Generation} WHERE {Generation.value} = ?');
    let round = 1_000;
    const check = async (steps: Step[]): Promise<void> => {
      round += 1;
      const expected: string[] = [];
      await Promise.all(
        steps.map(async (current, index) => {
          if (current.kind === 'plain') {
            expected.push(`${round}-${index}`);
            await write.run(`${round}-${index}`, round);
            return;
          }
          if (current.kind === 'commit') for (let n = 0; n < current.writes; n += 1) expected.push(`${round}-${index}-${n}`);
          await database
            .transaction(async () => {
              for (let n = 0; n < current.writes; n += 1) {
                await write.run(`${round}-${index}-${n}`, round);
                for (let pause = 0; pause < current.yields; pause += 1) await turn();
              }
              if (current.kind === 'rollback') throw new Error('roll back');
            })
            .catch((error: Error) => {
              if (error.message !== 'roll back') throw error;
            });
        }),
      );
      expect((await names.all(round)).map((row) => row.name).sort()).toEqual(expected.sort());
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), check), { numRuns: rounds, endOnFailure: true });
  });
});
