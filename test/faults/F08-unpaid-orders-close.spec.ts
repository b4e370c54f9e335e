import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Database } from '../../src/database/index.js';
import { SiteConfig } from '../../src/site/entities/index.js';
import { createTestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../support/payment.js';

const HOUR = 3_600_000;

describe('F8 unpaid orders', () => {
  let database: Database;
  let dispose: () => Promise<void>;
  let parts: PaymentParts;
  const clock = new ManualClock();

  beforeAll(async () => {
    const made = await createTestDatabase();
    ({ database, dispose } = made);
    parts = paymentParts(database, made.place.config, { clock });
    await database.repository(SiteConfig).save({ id: 1, api: 'key', payMethods: [] });
    await parts.settings.start();
  });
  afterAll(() => dispose());

  const create = async (): Promise<number> =>
    (await parts.orders.create({ user: 'buyer', scene: 's', name: 'n', amount: 100, type: 'bank__wire' })).id;
  const statusOf = async (id: number): Promise<string> => (await parts.orders.get(id))!.status;

  it('close after a day, paid ones do not, and a late payment still counts', async () => {
    const [old, paid] = [await create(), await create()];
    await parts.settlement.settle((await parts.orders.get(paid))!.number, 'bank');
    expect(await parts.expiry.closeOld()).toBe(0);
    clock.advance(24 * HOUR);
    const young = await create();
    expect(await parts.expiry.closeOld()).toBe(0);
    clock.advance(1);
    expect(await parts.expiry.closeOld()).toBe(1);
    expect([await statusOf(old), await statusOf(paid), await statusOf(young)]).toEqual(['closed', 'paid', 'unpaid']);
    expect(await parts.settlement.settle((await parts.orders.get(old))!.number, 'bank')).toMatchObject({ ok: true, already: false });
    expect(await statusOf(old)).toBe('paid');
  });

  it('close in any number, after the hours the administrator sets, or never', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 450; count += 1) ids.push(await create());
    await parts.settingsOperations.saveOrderSettings({ order_ttl: 0 });
    clock.advance(10_000 * HOUR);
    expect(await parts.expiry.closeOld()).toBe(0);
    await parts.settingsOperations.saveOrderSettings({ order_ttl: 1 });
    expect(await parts.expiry.closeOld()).toBeGreaterThanOrEqual(450);
    expect(await parts.expiry.closeOld()).toBe(0);
    expect(await statusOf(ids.at(-1)!)).toBe('closed');
  });
});
