import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AppConfig } from '../config/index.js';

import { ClientAddress, addressForLimits } from './client-address.js';

function addressOf(trust: string, peer: string, forwarded?: string | string[]): string {
  const request = {
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded, 'x-real-ip': '6.6.6.6', 'cf-connecting-ip': '6.6.6.6' },
  };
  return new ClientAddress(new AppConfig({ TRUST_PROXY: trust })).of(request as never);
}

describe('ClientAddress', () => {
  it('ignores headers from untrusted proxies', () => {
    expect(addressOf('', '198.51.100.7', '1.2.3.4')).toBe('198.51.100.7');
    expect(addressOf('10.0.0.0/8', '198.51.100.7', '1.2.3.4')).toBe('198.51.100.7');
    expect(addressOf('', '127.0.0.1', '1.2.3.4')).toBe('127.0.0.1');
  });

  it.each([
    ['10.0.0.0/8', '10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.0/8', '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['10.0.0.0/8', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9', '1.2.3.4'],
    ['10.0.0.0/8', '10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['10.0.0.0/8', '10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.1', '1.2.3.4, unknown', '10.0.0.1'],
    ['10.0.0.0/8', '10.0.0.1', '1.2.3.4, 5.6.7.8\r\n', '5.6.7.8'],
    ['10.0.0.1', '::ffff:10.0.0.1', '::ffff:1.2.3.4', '1.2.3.4'],
    ['::1', '::1', '2001:DB8::0:1', '2001:db8::1'],
    ['10.0.0.0/8,fd00::/8', 'fd00::5', '1.2.3.4, 10.0.0.9', '1.2.3.4'],
  ])('behind %s, %s with %j is %s', (trust, peer, header, expected) => {
    expect(addressOf(trust, peer, header)).toBe(expected);
  });

  it('uses the hop written by the proxy, whatever the client prepends', () => {
    fc.assert(
      fc.property(fc.string(), (spoofed) => {
        expect(addressOf('10.0.0.0/8', '10.0.0.1', `${spoofed}, 198.51.100.7`)).toBe('198.51.100.7');
      }),
    );
  });

  it('limits an IPv6 customer by network', () => {
    expect(addressForLimits('2001:db8:1:2:3:4:5:6')).toBe(addressForLimits('2001:db8:1:2:ffff::1'));
    expect(addressForLimits('2001:db8:1:2::1')).not.toBe(addressForLimits('2001:db8:1:3::1'));
    expect(addressForLimits('::ffff:1.2.3.4')).toBe('1.2.3.4');
    expect(addressForLimits('1.2.3.4')).not.toBe(addressForLimits('1.2.3.5'));
    expect(addressForLimits('')).toBe('');
  });
});
