import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AddressList } from './address-list.js';

describe('address list', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.7/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::ffff:192.0.2.0/120', '192.0.2.9', true],
    ['::ffff:192.0.2.0/120', '192.0.3.9', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:DB8:0:0::1', '2001:db8::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '203.0.113.9', false],
    ['', '192.0.2.1', false],
    ['0.0.0.0/0, ::/0', '', false],
    ['0.0.0.0/0, ::/0', 'unknown', false],
  ])('%j has %j: %s', (text, address, expected) => {
    const list = AddressList.read(text);
    expect(list.invalid).toEqual([]);
    expect(list.has(address)).toBe(expected);
  });

  it('accepts commas, line breaks and blanks as separators, and removes duplicates', () => {
    expect(AddressList.read(' 192.0.2.1,192.0.2.2\r\n2001:db8::/32;192.0.2.1 ，10.0.0.0/8\n').entries).toEqual([
      '192.0.2.1',
      '192.0.2.2',
      '2001:db8::/32',
      '10.0.0.0/8',
    ]);
  });

  it.each([
    '1.2.3',
    '1.2.3.4.5',
    '010.0.0.1',
    '0x7f.0.0.1',
    '256.0.0.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
    '1.2.3.4/ff',
    '2001:db8::/129',
    'fe80::1%eth0',
    'localhost',
    '*',
    '192.0.2.*',
  ])('names %j as no entry', (entry) => {
    const list = AddressList.read(`192.0.2.1\n${entry}`);
    expect(list.invalid).toEqual([entry]);
    expect(list.has('192.0.2.1')).toBe(true);
  });

  it('contains the address it was created from, and never throws', () => {
    fc.assert(fc.property(fc.ipV4(), (address) => AddressList.read(address).has(address)));
    fc.assert(fc.property(fc.ipV6(), (address) => AddressList.read(address).has(address)));
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (text, address) => typeof AddressList.read(text).has(address) === 'boolean',
      ),
    );
  });
});
