import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestHosting, type TestHosting } from '../../../test/support/hosting.js';
import { testEngine } from '../../../test/support/database.js';
import { plansOf, slow } from '../../../test/support/query-plans.js';
import { BaseUrl } from '../../config/index.js';
import type { HostRecord } from '../../sdk/index.js';
import { HostingAccount, HostingNode, HostingService, SiteDomain, SitesServer } from '../index.js';
import { SiteAccess } from '../site-tools/index.js';
import { SiteLookup } from '../sites/index.js';

import { DomainRepository, DomainCheck, DomainProof, DomainRecords, SiteDomains } from './index.js';
import { storedDomain } from './domain-name.js';

let hosting: TestHosting;
let alice: HostRecord;
let bob: HostRecord;
/** DNS records by type and name; `late` never answers. */
const records = new Map<string, string[] | 'late' | 'broken'>();

beforeAll(async () => {
  hosting = await createTestHosting();
  hosting.app.get(DomainRecords).lookup = (name, type) => {
    const found = records.get(`${type} ${name}`);
    if (found === 'late') return new Promise(() => {});
    if (found === 'broken') return Promise.reject(Object.assign(new Error('servfail'), { code: 'ESERVFAIL' }));
    return found ? Promise.resolve(found) : Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  };
});
beforeEach(async () => {
  for (const user of ['alice01', 'bob0001']) {
    const host = await hosting.app.get(HostingService).get(user);
    if (host) await hosting.app.get(HostingService).terminate(host.id, 'admin');
  }
  [alice, bob] = [await open('Alice01'), await open('bob0001')];
  records.clear();
});
afterAll(() => hosting.dispose());

const open = (user: string, domains = 0) =>
  hosting.app.get(HostingService).provision({ node: 'bh1', user, password: 'secret-1', expiresOn: null, domains }, 'api');
const rows = () => hosting.database.repository(SiteDomain);

async function bind(host: HostRecord, url: string, folder = ''): Promise<string> {
  return (await hosting.app.get(SiteDomains).bind(await hosting.app.get(SiteAccess).ofHost(host.id), url, folder)).name;
}
const refusal = (host: HostRecord, url: string, folder = '') =>
  bind(host, url, folder).then(
    () => 'bound',
    (error: { code: string }) => error.code,
  );
const unbind = async (host: HostRecord, url: string) =>
  hosting.app.get(SiteDomains).unbind(await hosting.app.get(SiteAccess).ofHost(host.id), url);

async function folderOf(host: HostRecord): Promise<string> {
  const { siteName } = await hosting.database.repository(HostingAccount).findOneByOrFail({ id: host.id });
  return join(hosting.config.dataDir, 'sites', siteName, 'public');
}

function visit(host: string, path = '/'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: hosting.app.get(SitesServer).port, path, headers: { host } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('binding', () => {
  it('serves the site under the name immediately, in any spelling, until it is removed', async () => {
    expect(await bind(alice, 'WWW.Example.com.')).toBe('www.example.com');
    for (const host of ['www.example.com', 'WWW.EXAMPLE.COM:3080', 'www.example.com.'])
      expect((await visit(host)).body, host).toContain('Alice01');
    for (const host of ['example.com', 'x.www.example.com', 'www.example.com.evil.example'])
      expect((await visit(host)).status, host).toBe(404);
    await unbind(alice, 'http://www.Example.com/');
    expect((await visit('www.example.com')).status).toBe(404);
    await expect(unbind(alice, 'www.example.com')).rejects.toMatchObject({ code: 'NOT_BOUND' });
  });

  it('serves a wildcard for one label, and an exact name before it', async () => {
    await bind(alice, '*.example.com');
    mkdirSync(join(await folderOf(alice), 'shop'));
    writeFileSync(join(await folderOf(alice), 'shop', 'index.html'), 'the shop');
    await bind(alice, 'shop.example.com', '/shop/');
    expect((await visit('anything.example.com')).body).toContain('Alice01');
    expect((await visit('shop.example.com')).body).toBe('the shop');
    for (const host of ['example.com', 'a.b.example.com']) expect((await visit(host)).status, host).toBe(404);
  });

  it('keeps a sub-folder inside the site', async () => {
    const root = await folderOf(alice);
    const outside = await folderOf(bob);
    symlinkSync(outside, join(root, 'out'));
    mkdirSync(join(root, '.git'));
    symlinkSync('.git', join(root, 'git'));
    for (const [name, folder] of [
      ['a1.example.com', 'out'],
      ['a2.example.com', 'git'],
      ['a3.example.com', 'missing'],
    ] as const) {
      await bind(alice, name, folder);
      expect((await visit(name)).status, name).toBe(404);
    }
    for (const folder of ['..', 'a/../..', '.git', 'a/.b', 'a\\b', 'a\0b', '%2e%2e/../x', ' a'.repeat(200)])
      expect(await refusal(alice, 'b.example.com', folder), folder).toBe('FOLDER');
  });

  it('is idempotent, and changes the folder', async () => {
    await bind(alice, 'example.com');
    await bind(alice, 'EXAMPLE.com', 'shop');
    expect(await rows().findBy({ accountId: alice.id })).toMatchObject([{ name: 'example.com', folder: 'shop' }]);
  });

  it.each([
    ['localhost', 'SITES'],
    ['bob0001.localhost', 'SITES'],
    ['www.alice01.localhost', 'SITES'],
    ['*.localhost', 'SITES'],
    ['*.alice01.localhost', 'SITES'],
    ['127.0.0.1', 'ADDRESS'],
    ['printer.local', 'LOCAL'],
    ['example.com:99', 'PORT'],
    ['com', 'SUFFIX'],
    ['a b', 'FORM'],
  ])('rejects %s: %s', async (name, code) => {
    expect(await refusal(alice, name)).toBe(code);
  });

  it('accepts the site’s own name, for a folder', async () => {
    mkdirSync(join(await folderOf(alice), 'sub'));
    writeFileSync(join(await folderOf(alice), 'sub', 'index.html'), 'the folder');
    await bind(alice, 'Alice01.localhost', 'sub');
    expect((await visit('alice01.localhost')).body).toBe('the folder');
    await unbind(alice, 'alice01.localhost');
    expect((await visit('alice01.localhost')).body).toContain('Alice01');
  });

  it('rejects the panel’s names, and requires a proof for those in its zone', async () => {
    const panel = hosting.app.get(BaseUrl);
    const { current } = panel;
    panel.current = () => 'https://panel.example.com';
    try {
      for (const name of ['panel.example.com', 'x.panel.example.com', '*.example.com', '*.panel.example.com'])
        expect(await refusal(alice, name), name).toBe('PANEL');
      for (const name of ['example.com', 'www.example.com']) expect(await refusal(alice, name), name).toBe('PROOF');
      expect(await refusal(alice, 'example.net')).toBe('bound');
      const account = await hosting.database.repository(HostingAccount).findOneByOrFail({ id: alice.id });
      const { record, value } = hosting.app.get(DomainProof).recordOf(account, storedDomain('example.com'));
      records.set(`TXT ${record}`, [value]);
      expect(await refusal(alice, 'example.com')).toBe('bound');
    } finally {
      panel.current = current;
    }
  });
});

describe('ownership of a name', () => {
  it('belongs to the first account, as an exact name or through a wildcard, either way round', async () => {
    await bind(alice, '*.example.com');
    await bind(alice, 'www.example.net');
    for (const name of ['*.example.com', 'a.example.com', 'www.example.net', '*.example.net'])
      expect(await refusal(bob, name), name).toBe('TAKEN');
    expect(await refusal(alice, 'a.example.com')).toBe('bound');
  });

  it('requires for a parent or child of another’s name a record that only its owner can set, specific to the account', async () => {
    await bind(alice, 'shop.example.com');
    const row = (host: HostRecord) => hosting.database.repository(HostingAccount).findOneByOrFail({ id: host.id });
    for (const name of ['example.com', 'a.shop.example.com', 'b.a.shop.example.com', '*.shop.example.com']) {
      expect(await refusal(bob, name), name).toBe('PROOF');
      const proof = hosting.app.get(DomainProof);
      const [own, others] = [proof.recordOf(await row(bob), storedDomain(name)), proof.recordOf(await row(alice), storedDomain(name))];
      expect(own).toMatchObject({ record: `_svc-verify.${storedDomain(name).base}`, value: expect.not.stringMatching(others.value) });
      records.set(`TXT ${own.record}`, [others.value, 'v=spf1 -all', `x${own.value}`]);
      expect(await refusal(bob, name), name).toBe('PROOF');
      records.set(`TXT ${own.record}`, 'broken');
      expect(await refusal(bob, name), name).toBe('PROOF_LATE');
      records.set(`TXT ${own.record}`, ['other', own.value]);
      expect(await refusal(bob, name), name).toBe('bound');
    }
    expect(await refusal(alice, 'b.shop.example.com')).toBe('TAKEN');
    // Names related to the account's own need no proof.
    expect(await refusal(alice, 'sister.shop.example.net')).toBe('bound');
    expect(await refusal(alice, 'shop.example.net')).toBe('bound');
  });

  it('is decided once, even for concurrent requests', async () => {
    const outcomes = await Promise.all([refusal(alice, '*.example.com'), refusal(bob, 'a.example.com'), refusal(bob, '*.example.com')]);
    expect(outcomes.filter((outcome) => outcome === 'bound').length).toBeGreaterThan(0);
    const names = await rows().find();
    expect(new Set(names.map(({ accountId }) => accountId)).size).toBe(1);
  });

  it('enforces the limit, also in two tabs, and follows it when it is raised', async () => {
    await hosting.app.get(HostingService).setQuota(alice.id, { domains: 2 }, 'admin');
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((label) => refusal(alice, `${label}.example.com`)));
    expect(outcomes.sort()).toEqual(['LIMIT', 'LIMIT', 'bound', 'bound']);
    await hosting.app.get(HostingService).setQuota(alice.id, { domains: 3 }, 'admin');
    expect(await refusal(alice, 'e.example.com')).toBe('bound');
    await hosting.app.get(HostingService).setQuota(alice.id, { domains: 0 }, 'admin');
    expect(await refusal(alice, 'f.example.com')).toBe('bound');
  });

  it('is released when the host is deleted, but not by a pause', async () => {
    await bind(alice, 'example.com');
    await hosting.app.get(HostingService).pause(alice.id, 'admin', 'admin');
    expect(await refusal(bob, 'example.com')).toBe('TAKEN');
    expect((await visit('example.com')).status).toBe(503);
    await hosting.app.get(HostingService).terminate(alice.id, 'admin');
    expect((await visit('example.com')).status).toBe(404);
    expect(await refusal(bob, 'example.com')).toBe('bound');
    expect((await visit('example.com')).body).toContain('bob0001');
  });

  it('lets nobody else remove the name or make it the main one', async () => {
    await bind(alice, 'example.com');
    await expect(unbind(bob, 'example.com')).rejects.toMatchObject({ code: 'NOT_BOUND' });
    const site = await hosting.app.get(SiteAccess).ofHost(bob.id);
    await expect(hosting.app.get(SiteDomains).setMain(site, 'example.com')).rejects.toMatchObject({ code: 'NOT_BOUND' });
  });
});

describe('the main domain', () => {
  it('is a single name, never a wildcard, and defaults to the site’s own name', async () => {
    for (const name of ['a.example.com', 'b.example.com', '*.c.example.com']) await bind(alice, name);
    const site = await hosting.app.get(SiteAccess).ofHost(alice.id);
    const main = async () => (await rows().findBy({ accountId: alice.id, isMain: true })).map(({ name }) => name);
    const set = (name: string) => hosting.app.get(SiteDomains).setMain(site, name);
    await set('a.example.com');
    await set('B.example.com');
    expect(await main()).toEqual(['b.example.com']);
    await expect(set('*.c.example.com')).rejects.toMatchObject({ code: 'MAIN_WILDCARD' });
    await set('Alice01.localhost');
    expect(await main()).toEqual([]);
    await set('a.example.com');
    await set('');
    expect(await main()).toEqual([]);
  });
});

describe('a DNS check', () => {
  const target = { type: 'CNAME', value: 'sites.example.org' } as const;
  const look = (name: string, to: Parameters<DomainCheck['check']>[1] = target) => hosting.app.get(DomainCheck).check(name, to);

  it('reports where a name points', async () => {
    records.set('A sites.example.org', ['203.0.113.9']).set('A www.example.com', ['203.0.113.9']);
    expect(await look('www.example.com')).toEqual({ state: 'here', found: ['203.0.113.9'] });
    records.set('A www.example.com', ['198.51.100.1']);
    expect(await look('www.example.com')).toEqual({ state: 'elsewhere', found: ['198.51.100.1'] });
    records.set('CNAME www.example.com', ['Sites.Example.org.']);
    expect(await look('www.example.com')).toMatchObject({ state: 'here' });
    expect(await look('none.example.com')).toEqual({ state: 'missing', found: [] });
    expect(await look('www.example.com', null)).toMatchObject({ state: 'unknown' });
    records.set('AAAA six.example.com', ['2001:db8:0:0::1']);
    expect(await look('six.example.com', { type: 'AAAA', value: '2001:db8::1' })).toMatchObject({ state: 'here' });
    records.set('A dead.example.com', 'broken').set('AAAA dead.example.com', 'broken');
    expect(await look('dead.example.com')).toEqual({ state: 'unanswered', found: [] });
  });

  it('takes the target from the server, or the site’s own name if it can be resolved', async () => {
    const nodes = hosting.database.repository(HostingNode);
    const account = { nodeCode: 'bh1', username: 'Alice01' };
    const wanted = async (dnsTarget: string) => {
      await nodes.update({ code: 'bh1' }, { dnsTarget });
      return hosting.app.get(DomainCheck).target(account);
    };
    expect(await wanted('')).toBeNull();
    expect(await wanted('Sites.example.org.')).toEqual({ type: 'CNAME', value: 'sites.example.org' });
    expect(await wanted('203.0.113.9')).toEqual({ type: 'A', value: '203.0.113.9' });
    expect(await wanted('2001:db8:0::1')).toEqual({ type: 'AAAA', value: '2001:db8::1' });
    await nodes.update({ code: 'bh1' }, { dnsTarget: '' });
  });
});

it.runIf(testEngine === 'sqlite')('finds a site and related names through an index, however many domains exist', async () => {
  await bind(alice, 'example.com');
  const lookup = hosting.app.get(SiteLookup);
  const plans = await plansOf(hosting.database, async () => {
    for (const host of ['example.com', 'a.example.com', 'alice01.localhost']) await lookup.byHost(host);
    for (const name of ['free.example.com', '*.example.com']) await hosting.app.get(DomainRepository).standing(bob.id, storedDomain(name));
  });
  expect(plans.join('\n')).toContain('SVC_site_domain');
  expect(slow(plans)).toEqual([]);
});
