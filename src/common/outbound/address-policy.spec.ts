import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddressPolicy, isPublicAddress } from './address-policy.js';

/** IPv6 forms a gateway unwraps to the IPv4 address in their last, second or (Teredo, inverted) last two groups. */
const WRAPPINGS: ((high: string, low: string) => string)[] = [
  (high, low) => `::${high}:${low}`,
  (high, low) => `::ffff:${high}:${low}`,
  (high, low) => `::ffff:0:${high}:${low}`,
  (high, low) => `64:ff9b::${high}:${low}`,
  (high, low) => `64:ff9b:1::${high}:${low}`,
  (high, low) => `2002:${high}:${low}::1`,
  (high, low) => `2001:0:4136:e378:8000:63bf:${high}:${low}`,
];

describe('isPublicAddress', () => {
  it('rejects every IPv4 address wrapped in IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...WRAPPINGS), (address, wrap) => {
        const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
        expect(isPublicAddress(wrap((a * 256 + b).toString(16), (c * 256 + d).toString(16)))).toBe(false);
      }),
    );
  });

  it('refuses every IPv6 address outside 2000::/3', () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, (values) => {
        const isGlobal = values[0]! >= 0x2000 && values[0]! <= 0x3fff;
        const address = values.map((value) => value.toString(16)).join(':');
        if (!isGlobal) expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });

  it('accepts only literal addresses', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isPublicAddress(text)).toBe(false);
      }),
    );
    for (const text of ['8.8', '0x08080808', '134744072', '8.8.8.8 ', '[2606:4700::1]', '2606:4700::1%eth0', 'localhost', '']) {
      expect(isPublicAddress(text), text).toBe(false);
    }
    expect(['8.8.8.8', '2606:4700::1'].every(isPublicAddress)).toBe(true);
  });
});

describe('AddressPolicy', () => {
  it('permits public addresses and the listed networks including their edges', () => {
    const policy = new AddressPolicy(['10.20.0.0/16', '192.168.7.9/32', 'fd12:3456::/32']);
    for (const address of ['10.20.0.0', '10.20.255.255', '192.168.7.9', 'fd12:3456:ffff::1', '8.8.8.8'])
      expect(policy.permits(address), address).toBe(true);
    for (const address of [
      '10.19.255.255',
      '10.21.0.0',
      '192.168.7.8',
      '192.168.7.10',
      'fd12:3457::',
      '127.0.0.1',
      '::ffff:10.20.0.1',
      'fd12:3456::1%eth0',
    ]) {
      expect(policy.permits(address), address).toBe(false);
    }
  });

  it.each([
    '10.20.0.0',
    '10.20.0.0/33',
    '10.20/16',
    'fd12::/129',
    'fd12::%eth0/64',
    '10.20.0.0/',
    '/8',
    'intranet',
    '10.0.0.0/8 ',
    '010.0.0.0/8',
    '',
  ])('names "%s" as no network', (entry) => {
    expect(() => new AddressPolicy(['10.0.0.0/8', entry])).toThrow(`"${entry}" is not a network`);
  });
});
