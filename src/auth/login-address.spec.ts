import { describe, expect, it } from 'vitest';

import { loginAddress, returnAddress, signedInAddress } from './login-address.js';

describe('the return URL after sign-in', () => {
  it('leads to the requested page with its query', () => {
    expect(loginAddress('admin', '/admin/hosts?page=2&q=中')).toBe('/admin/login?next=%2Fadmin%2Fhosts%3Fpage%3D2%26q%3D%25E4%25B8%25AD');
    expect(returnAddress('admin', '/admin/hosts?page=2')).toBe('/admin/hosts?page=2');
  });

  it('is omitted for the first page of a side', () => {
    for (const from of [undefined, '/user/', '/user/login', '/user/login?next=/user/orders'])
      expect(loginAddress('user', from)).toBe('/user/login');
  });

  it('never leaves the side', () => {
    for (const wanted of [
      '/user/orders',
      '//evil.test/admin/',
      '/\\evil.test/admin/',
      'https://evil.test/admin/',
      'http://here.invalid:81/admin/',
      'javascript:alert(1)//admin/',
      '/admin/../user/',
      'http://[',
      `/admin/${'x'.repeat(2_000)}`,
    ]) {
      expect([wanted, returnAddress('admin', wanted)]).toEqual([wanted, '/admin/']);
      expect([wanted, signedInAddress('admin', wanted)]).toEqual([wanted, '/admin/']);
    }
  });

  it('also leads users to pages of neither side, but never to another site', () => {
    for (const page of ['/domain', '/domain/buy?zone=3&prefix=a', '/user/orders?page=2']) expect(signedInAddress('user', page)).toBe(page);
    expect([signedInAddress('admin', '/domain'), returnAddress('user', '/domain')]).toEqual(['/admin/', '/user/']);
    for (const wanted of [
      ...['', '/', 'domain', '/user', '/user/login?next=/domain', '/admin', '/Admin/hosts', '/domain/../admin/'],
      ...['//evil.test/domain', '/\\evil.test', '\t//evil.test', '/domain/..//evil.test/', '/.//evil.test/', '/%2e//evil.test/'],
      ...[
        'https://evil.test/domain',
        'http://here.invalid:81/domain',
        'javascript:alert(1)',
        'data:text/html,x',
        `/domain/${'x'.repeat(2_000)}`,
      ],
    ]) {
      expect([wanted, signedInAddress('user', wanted)]).toEqual([wanted, '/user/']);
    }
  });
});
