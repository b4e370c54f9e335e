import { describe, expect, it } from 'vitest';

import { ClientAddress } from '../../src/auth/index.js';
import { AppConfig } from '../../src/config/index.js';

const clients = new ClientAddress(new AppConfig({ TRUST_PROXY: '10.0.0.0/8' }));
const addressOf = (forwarded: string): string =>
  clients.of({ socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': forwarded } } as never);

describe('F22 port in forwarded header', () => {
  it.each([
    ['1.2.3.4:567', '1.2.3.4'],
    ['[2001:db8::1]:567', '2001:db8::1'],
    ['[2001:DB8::0:1]', '2001:db8::1'],
    ['[::ffff:1.2.3.4]:80', '1.2.3.4'],
    ['6.6.6.6, 1.2.3.4:567, 10.9.9.9:1', '1.2.3.4'],
    ['2001:db8::1:567', '2001:db8::1:567'],
  ])('%s is the address %s', (header, address) => {
    expect(addressOf(header)).toBe(address);
  });

  it.each(['1.2.3.4:', '1.2.3.4:x', '1.2.3.4:567890', ':567', '[1.2.3:567', '[]:1', 'host:80', '[2001:db8::1]x'])(
    '%s is invalid, and the proxy counts as the client',
    (header) => {
      expect(addressOf(header)).toBe('10.0.0.1');
    },
  );
});
