import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { type Database } from '../../database/index.js';
import { SiteConfig } from '../../site/entities/index.js';

let database: Database;
let parts: PaymentParts;
let dispose: () => Promise<void>;

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  parts = paymentParts(database, made.place.config);
  await database.repository(SiteConfig).save({ id: 1, api: 'key', payMethods: [] });
});
afterAll(() => dispose());

describe('PaymentMethods', () => {
  it('sanitizes the input and keeps the sort order', async () => {
    const stored = await parts.methods.save([
      { plugin: 'epay<script>', method: 'ali pay', display_name: '支'.repeat(50), icon: 'i'.repeat(70), sort: 5000 },
      { plugin: 'epay', method: 'wxpay', display_name: ' <b>微信</b> ', sort: '-3' },
      { plugin: 'epay', method: 'wxpay', display_name: 'again' },
      { plugin: '', method: 'x' },
      { plugin: 'epay', method: '中文' },
      null,
      'epay__alipay',
      { plugin: 'bank', method: 'card', sort: 'x' },
      { plugin: 'bank', method: 'wire', sort: 7.9 },
    ]);
    expect(stored).toEqual([
      { plugin: 'epay', method: 'wxpay', display_name: '<b>微信</b>', icon: '', sort: 0 },
      { plugin: 'bank', method: 'wire', display_name: '', icon: '', sort: 7 },
      { plugin: 'bank', method: 'card', display_name: '', icon: '', sort: 99 },
      { plugin: 'epayscript', method: 'alipay', display_name: '支'.repeat(40), icon: 'i'.repeat(60), sort: 999 },
    ]);
    expect(parts.methods.enabled()).toEqual(stored);
  });

  it('shows enabled and registered methods on a payment page, named by the gateway if the owner gave no name', async () => {
    const undo = parts.registry.register('bank', { name: 'Bank', methods: { wire: 'Transfer', cash: 'Cash' }, build: () => false }, 'bank');
    expect(await parts.methods.available()).toEqual([
      { plugin: 'bank', method: 'wire', display_name: 'Transfer', icon: '', sort: 7, type: 'bank__wire' },
    ]);
    undo();
    expect(await parts.methods.available()).toEqual([]);
  });

  it.each([{}, null, 'x', 7, undefined])('refuses %j: no list', async (methods) => {
    await expect(parts.methods.save(methods)).rejects.toMatchObject({ code: 'METHODS_MALFORMED' });
  });

  it('rejects a list that exceeds its column', async () => {
    const many = Array.from({ length: 900 }, (_, i) => ({ plugin: `p${i}`, method: 'm', display_name: '支'.repeat(40) }));
    await expect(parts.methods.save(many)).rejects.toMatchObject({ code: 'METHODS_TOO_MANY' });
  });

  it('accepts any JSON and always stores a sanitized list', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.record({
              plugin: fc.string(),
              method: fc.string(),
              display_name: fc.string({ unit: 'binary' }),
              icon: fc.jsonValue(),
              sort: fc.jsonValue(),
            }),
          ),
        ),
        async (methods) => {
          const stored = await parts.methods.save(methods);
          for (const row of stored) {
            expect(row.plugin).toMatch(/^[a-zA-Z0-9_-]+$/);
            expect(row.method).toMatch(/^[a-zA-Z0-9_-]+$/);
            expect(row.sort).toBeGreaterThanOrEqual(0);
            expect(row.sort).toBeLessThanOrEqual(999);
            expect(Array.from(row.display_name).length).toBeLessThanOrEqual(40);
          }
          expect(new Set(stored.map((row) => `${row.plugin}__${row.method}`)).size).toBe(stored.length);
        },
      ),
      { numRuns: 50 },
    );
  });
});
