import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { FailureLimits, RateLimiter } from '../auth/index.js';
import { ZonedClock, type AppConfig } from '../config/index.js';
import type { Database } from '../database/index.js';
import { AuditLog, OperationLog, OutsideLog } from '../operations/index.js';

import { CodeBatches } from './code-batches.js';
import { CreditEntry, RedeemCode } from './entities/index.js';
import { Ledger, type CreditHolder } from './ledger.js';
import { Redeeming, WRONG_CODES } from './redeeming.js';

let database: Database;
let batches: CodeBatches;
let ledger: Ledger;
let redeeming: Redeeming;
let dispose: () => Promise<void>;
const clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  const { config } = made.place;
  batches = new CodeBatches(database, new ZonedClock(clock, config));
  ledger = new Ledger(database, clock);
  const limiter = new RateLimiter(database, { rateLimit: true } as AppConfig, clock);
  const log = new OutsideLog(new AuditLog(database, clock), new FailureLimits(limiter, clock), clock, database);
  redeeming = new Redeeming(database, new ZonedClock(clock, config), ledger, limiter, log);
});
afterAll(() => dispose());

const batch = (total = 1, untilOn: string | null = null) => batches.make({ name: 'Fair', amount: 500, total, untilOn, actor: 'boss' });
let last = 0;
const somebody = (): CreditHolder => ({ kind: 'account', id: (last += 1), name: `host${last}` });
let address = 0;
/** Each from an address of its own, where nothing else is asked for. */
const redeem = (of: CreditHolder, code: string, ip = `192.0.2.${(address += 1) % 250}`) => redeeming.redeem({ of, code, ip });

describe('a batch of codes', () => {
  it('is shown once: the codes are not stored', async () => {
    const { id, codes } = await batch(200);
    expect(new Set(codes).size).toBe(200);
    for (const code of codes) expect(code).toMatch(/^([2-9A-HJKMNP-TV-Z]{4}-){3}[2-9A-HJKMNP-TV-Z]{4}$/);
    const kept = JSON.stringify(await database.repository(RedeemCode).findBy({ batchId: id }));
    for (const code of codes.slice(0, 20)) for (const part of [code, code.replaceAll('-', '')]) expect(kept).not.toContain(part);
    expect(await batches.one(id)).toMatchObject({ sl: 200, wsy: 200, ysy: 0, yzf: 0, rmb: '5.00', name: 'Fair' });
  });

  it('has its unused codes revoked', async () => {
    const { id, codes } = await batch(3);
    const who = somebody();
    await redeem(who, codes[0]!);
    expect(await batches.revoke(id)).toBe(2);
    await expect(batches.revoke(id)).rejects.toMatchObject({ code: 'NOTHING_UNUSED' });
    await expect(batches.revoke(id + 1_000)).rejects.toMatchObject({ code: 'NO_BATCH' });
    await expect(redeem(who, codes[1]!)).rejects.toMatchObject({ code: 'CODE_REVOKED' });
    expect(await ledger.balance(who)).toBe(500);
    expect(await batches.one(id)).toMatchObject({ wsy: 0, ysy: 1, yzf: 2 });
    const { rows } = await batches.codesOf(id, 'used', 0, 10);
    expect(rows).toMatchObject([{ dhm: `…${codes[0]!.slice(-4)}`, qk: 'used' }]);
  });
});

describe('a code', () => {
  it('adds its amount once, however it is typed', async () => {
    const { codes } = await batch(2);
    const [one, other] = [somebody(), somebody()];
    expect(await redeem(one, ` ${codes[0]!.toLowerCase().replaceAll('-', ' ')} `)).toEqual({ amount: 500, balance: 500 });
    await expect(redeem(one, codes[0]!)).rejects.toMatchObject({ code: 'CODE_YOURS' });
    await expect(redeem(other, codes[0]!)).rejects.toMatchObject({ code: 'CODE_USED' });
    expect([await ledger.balance(one), await ledger.balance(other)]).toEqual([500, 0]);
    expect(await redeem(one, codes[1]!)).toEqual({ amount: 500, balance: 1_000 });
    const entries = await database.repository(CreditEntry).findBy({ account: 'code' });
    expect(entries.filter(({ amount }) => amount === -500).length).toBeGreaterThanOrEqual(2);
  });

  it('is redeemed by exactly one of twelve concurrent attempts', async () => {
    for (const many of [true, false]) {
      const { codes } = await batch();
      const who = Array.from({ length: 8 }, somebody);
      const tries = await Promise.allSettled(who.map((one) => redeem(many ? one : who[0]!, codes[0]!)));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of tries)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: expect.stringMatching(/^CODE_(USED|YOURS)$/) });
      const balances = await Promise.all(who.map((one) => ledger.balance(one)));
      expect(balances.reduce((sum, fen) => sum + fen, 0)).toBe(500);
    }
  });

  it('is redeemed or revoked, never both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, codes } = await batch();
      const who = somebody();
      const [redeemed, revoked] = await Promise.allSettled([redeem(who, codes[0]!), batches.revoke(id)]);
      expect([redeemed, revoked].filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await ledger.balance(who)).toBe(redeemed.status === 'fulfilled' ? 500 : 0);
    }
  });

  it('is valid on its last day, and not after it', async () => {
    const [today, yesterday] = [await batch(1, '2026-11-21'), await batch(1, '2026-11-20')];
    await expect(redeem(somebody(), yesterday.codes[0]!)).rejects.toMatchObject({ code: 'CODE_OVER', params: { day: '2026-11-20' } });
    expect(await redeem(somebody(), today.codes[0]!)).toMatchObject({ amount: 500 });
  });

  it('stays unused if redeeming fails halfway', async () => {
    const { codes } = await batch();
    const who = somebody();
    await expect(
      database.transaction(async () => {
        await redeem(who, codes[0]!);
        throw new Error('the process dies');
      }),
    ).rejects.toThrow('dies');
    expect(await ledger.balance(who)).toBe(0);
    expect(await redeem(who, codes[0]!)).toMatchObject({ balance: 500 });
  });
});

describe('guessing codes', () => {
  it('is limited by address and by customer for a while, and logged without the code', async () => {
    const { codes } = await batch(3);
    const guesser = somebody();
    for (let n = 0; n < WRONG_CODES.limit; n += 1)
      await expect(redeem(guesser, `${codes[0]!.slice(0, -1)}0`)).rejects.toMatchObject({ code: 'CODE_UNKNOWN' });
    await expect(redeem(guesser, codes[0]!)).rejects.toMatchObject({ code: 'CODE_TRIES' });
    const flood = await Promise.allSettled(Array.from({ length: 25 }, () => redeem(somebody(), 'A'.repeat(16), '198.51.100.9')));
    const reasons = flood.map((result) => (result as PromiseRejectedResult).reason.code as string);
    expect(reasons.filter((reason) => reason === 'CODE_UNKNOWN')).toHaveLength(WRONG_CODES.limit);
    await expect(redeem(somebody(), codes[1]!, '198.51.100.9')).rejects.toMatchObject({ code: 'CODE_TRIES' });
    // Right ones count for nothing.
    const buyer = somebody();
    const more = await batch(15);
    for (const code of more.codes) await redeem(buyer, code, '198.51.100.77');
    clock.advance(WRONG_CODES.windowSeconds * 1_000 + 1);
    expect(await redeem(guesser, codes[0]!)).toMatchObject({ amount: 500 });
    const lines = await database.repository(OperationLog).findBy({ source: 'redeem' });
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain(codes[0]!.slice(4, 14));
  });

  it.each(['', '----', 'x'.repeat(100_000), "' OR 1=1 --", '\u0000', '兑换码'])('%j is not a code', async (typed) => {
    await batch();
    await expect(redeem(somebody(), typed)).rejects.toMatchObject({ code: 'CODE_UNKNOWN' });
  });
});
