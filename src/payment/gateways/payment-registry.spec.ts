import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { PaymentRecord } from '../../sdk/index.js';
import { parsePayType, payType } from '../orders/payment-type.js';

import { PaymentRegistry } from './payment-registry.js';

const record = (extra: Partial<PaymentRecord> = {}): PaymentRecord => ({
  name: 'Test',
  methods: { card: 'Card', qr: { name: 'QR', icon: 'mdi-qrcode' } },
  build: () => false,
  ...extra,
});

describe('payment types', () => {
  it('are joined with two underscores and split at the first', () => {
    expect(payType('epay', 'alipay')).toBe('epay__alipay');
    expect(parsePayType('epay__alipay')).toEqual({ slug: 'epay', method: 'alipay' });
    expect(parsePayType('a__b__c')).toEqual({ slug: 'a', method: 'b__c' });
  });

  it.each(['', '__', 'a__', '__b', 'alipay', 'a_b'])('refuse %j', (type) => expect(parsePayType(type)).toBe(false));
});

describe('PaymentRegistry', () => {
  it('returns registrations in the format of svc_get_payment_plugins until they are undone', () => {
    const registry = new PaymentRegistry();
    const undo = registry.register('epay', record(), 'epay-plugin');
    expect(registry.all()).toEqual({ epay: { name: 'Test', methods: { card: 'Card', qr: 'QR' } } });
    expect(registry.get('epay')?.owner).toBe('epay-plugin');
    expect(registry.find('epay__qr')).toMatchObject({ key: 'qr', method: { label: 'QR', icon: 'mdi-qrcode' } });
    expect(registry.find('epay__other')).toBeUndefined();
    expect(registry.find('epay__constructor')).toBeUndefined();
    undo();
    undo();
    expect(registry.all()).toEqual({});
  });

  it('rejects a taken slug, ignoring case, and names its owner', () => {
    const registry = new PaymentRegistry();
    const undo = registry.register('Epay', record(), 'first');
    expect(() => registry.register('epay', record(), 'second')).toThrow(/"Epay".*"first"/);
    expect(registry.get('epay')).toBeUndefined();
    undo();
    registry.register('epay', record(), 'second');
    undo();
    expect(registry.get('epay')?.owner).toBe('second');
  });

  it.each<[string, PaymentRecord, RegExp]>([
    ['epay', record({ build: undefined }), /build/],
    ['epay', record({ notify: 'x' as never }), /notify/],
    ['epay', record({ name: ' ' }), /name/],
    ['epay', record({ methods: null as never }), /methods/],
    ['epay', null as never, /record/],
    ['e__pay', record(), /ambiguous/],
    ['epay_', record(), /ambiguous/],
    ['../x', record(), /slug/],
    ['epay', record({ methods: { a__b: 'x' } }), /ambiguous/],
    ['epay', record({ methods: { _a: 'x' } }), /method key/],
    ['epay', record({ methods: { '': 'x' } }), /method key/],
    ['epay', record({ methods: { ['m'.repeat(200)]: 'x' } }), /too long/],
    ['epay', record({ formTargets: ["https://a.example; script-src 'unsafe-inline'"] }), /formTargets/],
    ['epay', record({ formTargets: ['https://a.example/path'] }), /formTargets/],
    ['epay', record({ query: {} as never }), /"query"/],
    ['epay', record({ refund: 'yes' as never }), /"refund"/],
    ['epay', record({ test: true as never }), /"test"/],
    ...[[], 'CNY', ['cny'], [1]].map(
      (currencies) => ['epay', record({ currencies: currencies as never }), /"currencies"/] as [string, PaymentRecord, RegExp],
    ),
    ...[null, 5, [1, 2], { least: '1' }, { least: -1 }, { most: 1.5 }, { least: 2, most: 1 }, { max: 1 }].map(
      (limits) => ['epay', record({ limits: limits as never }), /"limits"/] as [string, PaymentRecord, RegExp],
    ),
  ])('refuses %j with %o', (slug, wrong, message) => {
    const registry = new PaymentRegistry();
    expect(() => registry.register(slug, wrong, 'owner')).toThrow(message);
    expect(registry.list()).toEqual([]);
  });

  it('never lets two methods share a type, and finds every accepted one', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'B', '_', '-', '1'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { maxLength: 20 }), (pairs) => {
        const registry = new PaymentRegistry();
        for (const [slug, method] of pairs) {
          try {
            registry.register(slug, record({ methods: { [method]: `${slug}/${method}` } }), slug);
          } catch {
            // refused: must not be found either
          }
        }
        for (const gateway of registry.list()) {
          for (const [key, { label }] of gateway.methods) expect(registry.find(payType(gateway.slug, key))?.method.label).toBe(label);
        }
      }),
    );
  });
});
