import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';
import { Clock, MAX_AMOUNT } from '../common/index.js';
import type { Database } from '../database/index.js';

import { Credit, CreditEntry, CreditTransfer } from './entities/index.js';
import { type LedgerError } from './errors.js';
import { signedFen } from './ledger.inputs.js';
import { Ledger, type CreditHolder, type Movement } from './ledger.js';

let database: Database;
let ledger: Ledger;
let dispose: () => Promise<void>;
let made = 0;

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
  ledger = new Ledger(database, new Clock());
});
afterAll(() => dispose());

const holder = (): CreditHolder => {
  made += 1;
  return { kind: 'account', id: made, name: `holder${made}` };
};
const moveOf = (of: Movement['of'], amount: number, cause: string) =>
  ledger.move({ of, amount, cause: `${made}:${cause}`, against: 'adjustment', kind: 'adjustment' });
const codeOf = (work: Promise<unknown>) => work.then(() => 'moved').catch((error: unknown) => (error as LedgerError).code);
const entriesOf = async (creditId: number) => database.repository(CreditEntry).find({ where: { creditId }, order: { id: 'ASC' } });
/** Every transfer adds up to zero, has two sides or more, and every balance is the sum of its entries. */
async function expectWhole(): Promise<void> {
  const entries = await database.repository(CreditEntry).find();
  const sums = new Map<number, number>();
  const balances = new Map<number, number>();
  for (const { transferId, creditId, amount } of entries) {
    sums.set(transferId, (sums.get(transferId) ?? 0) + amount);
    if (creditId !== null) balances.set(creditId, (balances.get(creditId) ?? 0) + amount);
  }
  expect([...sums.values()].filter((sum) => sum !== 0)).toEqual([]);
  expect(sums.size).toBe(await database.repository(CreditTransfer).count());
  expect(entries.length).toBeGreaterThanOrEqual(2 * sums.size);
  for (const { id, balance } of await database.repository(Credit).find()) {
    expect(balance).toBeGreaterThanOrEqual(0);
    expect([id, balance]).toEqual([id, balances.get(id) ?? 0]);
  }
}

describe('the ledger', () => {
  it('moves a cause once, and rejects it for anything else', async () => {
    const one = holder();
    expect(await moveOf(one, 1_000, 'a')).toMatchObject({ balance: 1_000, moved: true });
    expect(await moveOf(one, 1_000, 'a')).toMatchObject({ balance: 1_000, moved: false });
    expect(await codeOf(moveOf(one, 1_001, 'a'))).toBe('REQUEST_DIFFERS');
    expect(await codeOf(moveOf({ ...one, id: one.id + 1_000_000 }, 1_000, 'a'))).toBe('REQUEST_DIFFERS');
    expect(await ledger.balance(one)).toBe(1_000);
    await expectWhole();
  });

  it('never overdraws or exceeds the maximum, and leaves no trace of a failure', async () => {
    const one = holder();
    expect(await codeOf(moveOf(one, -1, 'a'))).toBe('NOT_ENOUGH');
    await moveOf(one, 500, 'b');
    expect(await codeOf(moveOf(one, -501, 'c'))).toBe('NOT_ENOUGH');
    expect(await codeOf(moveOf(one, MAX_AMOUNT, 'd'))).toBe('TOO_MUCH');
    expect(await moveOf(one, -500, 'c')).toMatchObject({ balance: 0, moved: true });
    for (const amount of [0, 0.5, NaN, Infinity]) await expect(moveOf(one, amount, 'e')).rejects.toThrow('cannot be moved');
    await expectWhole();
  });

  it('gives nothing to a removed customer', async () => {
    const gone: CreditHolder = { kind: 'customer', id: 999_999, name: 'gone' };
    expect(await codeOf(moveOf(gone, 100, 'gone'))).toBe('NO_HOLDER');
    const [from, { creditId }] = [holder(), await moveOf(holder(), 300, 'own')];
    expect(await codeOf(ledger.join(creditId, gone))).toBe('NO_HOLDER');
    expect([await ledger.find(gone), await ledger.find(from)]).toEqual([null, null]);
    await expectWhole();
  });

  it('allows only as many concurrent debits as the balance covers', async () => {
    const one = holder();
    const { creditId } = await moveOf(one, 1_000, 'in');
    const takes = await Promise.all(Array.from({ length: 25 }, (_, i) => codeOf(moveOf(one, -100, `take${i}`))));
    expect(takes.filter((code) => code === 'moved')).toHaveLength(10);
    expect(takes.filter((code) => code === 'NOT_ENOUGH')).toHaveLength(15);
    expect(await ledger.balance(one)).toBe(0);
    const after = (await entriesOf(creditId)).map(({ balanceAfter }) => balanceAfter);
    expect(after).toEqual([1_000, 900, 800, 700, 600, 500, 400, 300, 200, 100, 0]);
    await expectWhole();
  });

  it('moves once for ten concurrent requests, also for a new credit', async () => {
    const one = holder();
    const said = await Promise.all(Array.from({ length: 10 }, () => moveOf(one, 700, 'same')));
    expect(said.filter(({ moved }) => moved)).toHaveLength(1);
    expect(await ledger.balance(one)).toBe(700);
    const others = await Promise.all([holder(), holder()].map((other) => codeOf(moveOf(other, 700, 'same'))));
    expect(new Set(others)).toEqual(new Set(['moved', 'REQUEST_DIFFERS']));
    await expectWhole();
  });

  it('joins a credit to another without losing a fen during concurrent debits', async () => {
    const [from, to] = [holder(), holder()];
    const { creditId } = await moveOf(from, 1_000, 'in');
    const results = await Promise.all([
      codeOf(moveOf(from, -300, 'spent')),
      ledger.join(creditId, to),
      ledger.join(creditId, to),
      codeOf(moveOf(from, -300, 'more')),
    ]);
    const spent = results.filter((result) => result === 'moved').length * 300;
    expect(await ledger.balance(from)).toBe(0);
    expect(await ledger.balance(to)).toBe(1_000 - spent);
    if (spent < 1_000) expect(await ledger.joinedTo(creditId)).toBe((await ledger.find(to))!.id);
    await expectWhole();
  });

  it('agrees with plain sums for any sequence of movements', async () => {
    const movement = fc.record({ who: fc.nat(2), amount: fc.integer({ min: -2_000, max: 2_000 }), cause: fc.nat(12) });
    await fc.assert(
      fc.asyncProperty(fc.array(movement, { maxLength: 20 }), async (movements) => {
        const holders = [holder(), holder(), holder()];
        const run = made;
        const balances = [0, 0, 0];
        const caused = new Map<number, string>();
        for (const { who, amount, cause } of movements) {
          if (amount === 0) continue;
          const what = `${who}:${amount}`;
          const before = caused.get(cause);
          const expected =
            before === undefined ? (balances[who]! + amount < 0 ? 'NOT_ENOUGH' : 'moved') : before === what ? 'moved' : 'REQUEST_DIFFERS';
          const [kind, against] = ['adjustment', 'adjustment'] as const;
          const result = await codeOf(ledger.move({ of: holders[who]!, amount, cause: `p${run}:${cause}`, kind, against }));
          expect(result).toBe(expected);
          if (result === 'moved' && before === undefined) {
            balances[who]! += amount;
            caused.set(cause, what);
          }
        }
        expect(await Promise.all(holders.map((one) => ledger.balance(one)))).toEqual(balances);
      }),
      { numRuns: 25 },
    );
    await expectWhole();
  });
});

it.each([
  ['10', 1_000],
  ['+10.5', 1_050],
  ['-0.01', -1],
  ['0', null],
  ['-0', null],
  ['1.005', null],
  ['--1', null],
  ['1e3', null],
  [' 1', null],
  ['', null],
  ['99999999999999', null],
  [10, null],
])('an amount with a sign: %s', (text, fen) => {
  expect(signedFen(text)).toBe(fen);
});
