import { describe, expect, it } from 'vitest';

import { BaseUrl } from '../config/index.js';

import { CrossSiteCheck } from './cross-site-check.js';

function rejects(base: string, headers: Record<string, string>, method = 'POST'): boolean {
  const baseUrl = new BaseUrl({ configuredBaseUrl: base, host: '127.0.0.1', port: 3000 });
  return new CrossSiteCheck(baseUrl).rejects({ method, headers });
}

describe('CrossSiteCheck', () => {
  it.each<[string, Record<string, string>]>([
    ['neither header: a server or a script', {}],
    ['our own page', { origin: 'https://panel.test' }],
    ['our own page, whatever the fetch site says', { origin: 'https://panel.test', 'sec-fetch-site': 'cross-site' }],
    ['another name of ours, as the browser asked for it', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
    ['the default port written out by a proxy', { origin: 'https://shop.test', host: 'shop.test:443' }],
    ['no origin, same origin by the browser', { 'sec-fetch-site': 'same-origin' }],
    ['no origin, typed by the person', { 'sec-fetch-site': 'none' }],
    ['an address in brackets', { origin: 'http://[::1]:3000', host: '[::1]:3000' }],
  ])('passes %s', (_name, headers) => {
    expect(rejects('https://panel.test', headers)).toBe(false);
  });

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.test', host: 'panel.test' }],
    ['another site that says it is the same', { origin: 'https://evil.test', host: 'panel.test', 'sec-fetch-site': 'same-origin' }],
    ['a sandboxed page', { origin: 'null', host: 'panel.test', 'sec-fetch-site': 'same-origin' }],
    ['an empty origin', { origin: '', host: 'panel.test' }],
    ['a sister domain', { origin: 'https://sites.panel.test', host: 'panel.test' }],
    ['a name that begins like ours', { origin: 'https://panel.test.evil.test', host: 'panel.test' }],
    ['another port: a site hosted here', { origin: 'http://panel.test:3080', host: 'panel.test' }],
    ['our name without TLS', { origin: 'http://panel.test', host: 'panel.test' }],
    ['an extension', { origin: 'chrome-extension://panel.test', host: 'panel.test' }],
    ['same site by the browser', { 'sec-fetch-site': 'same-site', host: 'panel.test' }],
    ['cross site by the browser', { 'sec-fetch-site': 'cross-site', host: 'panel.test' }],
    ['a fetch site nobody knows', { 'sec-fetch-site': 'future', host: 'panel.test' }],
  ])('refuses %s', (_name, headers) => {
    expect(rejects('https://panel.test', headers)).toBe(true);
    expect(rejects('https://panel.test', headers, 'DELETE')).toBe(true);
  });

  it('allows safe methods', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(rejects('https://panel.test', { origin: 'https://evil.test' }, method)).toBe(false);
  });

  it('knows the default port in the base URL', () => {
    expect(rejects('https://panel.test:443', { origin: 'https://panel.test' })).toBe(false);
    expect(rejects('http://panel.test:80/sub', { origin: 'http://panel.test' })).toBe(false);
  });
});
