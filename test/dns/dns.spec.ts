/**
 * Customers' names, set up at DNS providers; each provider is a fake that follows its documentation. PowerDNS itself is in
 * powerdns.spec.ts.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { DnsEntry, DnsProvider, OwnDnsRecord } from '../../src/dns/index.js';
import { DnsProviders } from '../../src/dns/dns-providers.js';
import { EntryRepository } from '../../src/dns/entry-repository.js';
import { HostingNode, SaleDomain, SoldName } from '../../src/hosting/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { Notice } from '../../src/notify/index.js';
import { OperationLog } from '../../src/operations/index.js';
import { unquoted } from '../../src/dns/record-values.js';
import { FakeDns, FAKE_SETTINGS } from '../support/fake-dns.js';
import { ManualClock } from '../support/manual-clock.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';
import { runJob } from '../support/run-job.js';

const PASS = 'secret-pass-1';
const SERVER = '192.0.2.10';
type Answer = Omit<AjaxAnswer, 'rows'> & { id: number; zones: string[]; rows: Record<string, unknown>[] };

let panel: TestPanel;
let ann: PanelClient;
const clock = new ManualClock();
let zones = 0;

beforeAll(async () => {
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  for (const part of [DnsProviders, EntryRepository]) Object.assign(panel.get<object>(part), { clock });
  await panel.admin('addzj', { user: 'ann001', pass: PASS, btdh: 'local', ll: '10', yhds: '0' });
  ann = await new PanelClient(panel.url).login('user', 'ann001', PASS);
});
afterAll(() => panel.close());
beforeEach(async () => {
  clock.set(new Date());
  for (const entity of [OwnDnsRecord, DnsEntry, SoldName, SaleDomain, DnsProvider, Notice])
    await panel.get(Database).repository<object>(entity).createQueryBuilder().delete().execute();
  await serverLeadsTo(SERVER);
});

const serverLeadsTo = (dnsTarget: string) => panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget });
const admin = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await panel.admin(gn, fields)) as unknown as Answer;
const ask = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await ann.ajax('user', { gn, ...fields })).json as unknown as Answer;
const cs = (settings: Record<string, string>) => Object.fromEntries(Object.entries(settings).map(([key, value]) => [`cs[${key}]`, value]));
const run = () => runJob(panel.get(JobRegistry), 'dns-records');
const later = (minutes: number) => clock.advance(minutes * 60_000);
const entry = (name: string) => panel.get(Database).repository(DnsEntry).findOneBy({ name });
const provider = (id: number) => panel.get(Database).repository(DnsProvider).findOneByOrFail({ id });

async function addProvider(fake: FakeDns): Promise<number> {
  const saved = await admin('p_dns_provider_save', { slug: fake.kind, name: `my ${fake.kind}`, ...cs(fake.settings) });
  expect(saved).toMatchObject({ success: true });
  return saved.id;
}
/** A domain whose names are set up at a provider. */
async function zoneAt(providerId: number, url = `n${(zones += 1)}.example.com`): Promise<{ id: string; url: string }> {
  const added = await admin('addym', { url, bt: 'local', jg: '0', sl: '0', channel: 'dnsapi', provider_id: String(providerId) });
  expect(added).toMatchObject({ success: true });
  return { id: String(added.id), url };
}
async function take(zone: string, qz: string): Promise<string> {
  const got = await ask('ymbd', { id: zone, qz });
  expect(got).toMatchObject({ success: true });
  return String(got.id);
}
async function withFake(kind: FakeDns['kind'], work: (fake: FakeDns, providerId: number) => Promise<void>): Promise<void> {
  const fake = await FakeDns.start(kind);
  try {
    await work(fake, await addProvider(fake));
  } finally {
    await fake.close();
  }
}

describe.each(['cloudflare', 'dnspod', 'tencent', 'aliyun', 'powerdns'] as const)('names at %s', (kind) => {
  it('are created, follow the address of the server, and are removed with the name', () =>
    withFake(kind, async (fake, id) => {
      const tested = await admin('p_dns_provider_test', { id: String(id) });
      expect(tested).toMatchObject({ success: true, zones: ['example.com'] });
      const zone = await zoneAt(id);
      const name = `shop.${zone.url}`;
      const own = await take(zone.id, 'shop');
      expect((await ask('wdym')).rows).toMatchObject([{ name, dns: 'waiting' }]);
      await run();
      expect(fake.of(name)).toEqual([`A ${SERVER}`]);
      expect((await ask('wdym')).rows).toMatchObject([{ name, dns: 'done' }]);
      expect((await admin('p_dns_record_list')).rows).toMatchObject([{ name, record: `A ${SERVER}`, state: 'done', problem: '' }]);
      const asked = fake.asked.length;
      await run();
      expect(fake.asked).toHaveLength(asked);

      await serverLeadsTo('192.0.2.11');
      await run();
      expect(fake.of(name)).toEqual(['A 192.0.2.11']);
      await serverLeadsTo('web.example.net');
      await run();
      expect(fake.of(name)).toEqual(['CNAME web.example.net']);
      await serverLeadsTo('2001:db8::0001');
      await run();
      expect(fake.of(name)).toEqual(['AAAA 2001:db8::1']);

      expect(await ask('ymjb', { id: own })).toMatchObject({ success: true });
      await run();
      expect(fake.of(name)).toEqual([]);
      expect(await entry(name)).toBeNull();
    }));

  it('leave records of others alone, and report them', () =>
    withFake(kind, async (fake, id) => {
      const zone = await zoneAt(id);
      const [taken, same, post] = ['taken', 'same', 'post'].map((prefix) => `${prefix}.${zone.url}`) as [string, string, string];
      fake.add('A', taken, '198.51.100.7');
      fake.add('A', same, SERVER);
      fake.add('TXT', post, '"v=spf1 -all"');
      for (const prefix of ['taken', 'same', 'post']) await take(zone.id, prefix);
      await run();
      expect(fake.of(taken)).toEqual(['A 198.51.100.7']);
      const found = expect.stringContaining('A 198.51.100.7') as string;
      const { rows } = await admin('p_dns_record_list', { state: 'failed' });
      expect(rows).toMatchObject([{ name: taken, state: 'failed', problem: found }]);
      expect(await entry(same)).toMatchObject({ state: 'done', problem: 'theirs', own: null });
      expect([...fake.of(post)].sort()).toEqual([`A ${SERVER}`, 'TXT "v=spf1 -all"']);

      // Administrators are notified, with a link to the failure.
      const [notice] = await panel.get(Database).repository(Notice).find();
      const led = await (await panel.adminFetch(notice!.link)).text();
      expect([led.includes(taken), led.includes(post)]).toEqual([true, false]);

      // The conflicting record is removed, and someone retries.
      fake.records.splice(
        fake.records.findIndex(({ name }) => name === taken),
        1,
      );
      expect(await admin('p_dns_record_retry', { id: String(rows[0]!.id) })).toMatchObject({ success: true });
      await run();
      expect(fake.of(taken)).toEqual([`A ${SERVER}`]);

      // Someone changes our record manually: it is no longer ours.
      fake.records.find(({ name }) => name === taken)!.value = '203.0.113.9';
      await serverLeadsTo('192.0.2.12');
      await run();
      expect(fake.of(taken)).toEqual(['A 203.0.113.9']);
      expect(await entry(taken)).toMatchObject({ state: 'failed', problem: 'taken' });
      for (const { id: nameId } of await panel.get(Database).repository(SoldName).find()) await ask('ymjb', { id: String(nameId) });
      await run();
      expect(fake.records.map(({ type, value }) => `${type} ${value}`).sort()).toEqual([
        'A 192.0.2.10',
        'A 203.0.113.9',
        'TXT "v=spf1 -all"',
      ]);
    }));

  it('are completed when the process died between creating and storing them', () =>
    withFake(kind, async (fake, id) => {
      const zone = await zoneAt(id);
      const [made, gone] = [`made.${zone.url}`, `gone.${zone.url}`];
      await take(zone.id, 'made');
      const own = await take(zone.id, 'gone');
      // The write after the provider's response is lost, once for each record.
      const repository = panel.get(EntryRepository);
      const { own: write } = repository;
      repository.own = async (row, at, record) => {
        if (record === null || record.id !== '') throw new Error('killed');
        await write.call(repository, row, at, record);
      };
      try {
        await run();
        expect([fake.of(made), fake.of(gone)]).toEqual([[`A ${SERVER}`], [`A ${SERVER}`]]);
        expect((await entry(made))!.own).toMatchObject({ id: '' });
      } finally {
        repository.own = write;
      }
      await ask('ymjb', { id: own });
      await serverLeadsTo('192.0.2.13');
      later(10);
      await run();
      expect([fake.of(made), fake.of(gone)]).toEqual([['A 192.0.2.13'], []]);
      expect((await entry(made))!).toMatchObject({ state: 'done', problem: '' });
    }));

  it('have their owner’s records beside them, several of a type, all removed with the name', () =>
    withFake(kind, async (fake, id) => {
      const zone = await zoneAt(id);
      const name = `shop.${zone.url}`;
      const own = await take(zone.id, 'shop');
      const foreign = fake.add('TXT', name, kind === 'powerdns' || kind === 'cloudflare' ? '"not ours"' : 'not ours');
      const add = (fields: Record<string, string>) => ask('p_dns_record_add', { domain: name, ...fields });
      const long = `v=DKIM1; p=${'a"b'.repeat(120)}`;
      const added: Record<string, string> = {};
      for (const [key, fields] of Object.entries({
        spf: { name: '@', type: 'TXT', value: 'v=spf1 mx -all' },
        dkim: { name: 'k1._domainkey', type: 'TXT', value: long },
        mail: { name: '@', type: 'MX', value: '10 MX1.example.net.' },
        mail2: { name: '@', type: 'MX', value: '20 mx2.example.net' },
        www: { name: 'www', type: 'A', value: '198.51.100.1' },
        www2: { name: 'www', type: 'A', value: '198.51.100.2' },
        six: { name: `six.${name}`, type: 'AAAA', value: '2001:DB8:0::1' },
        docs: { name: 'docs', type: 'CNAME', value: 'pages.example.org.' },
        call: { name: '_sip._tcp', type: 'SRV', value: '10  05 5060 SIP.example.net.' },
        only: { name: '@', type: 'CAA', value: '0 ISSUE letsencrypt.org' },
      })) {
        const answer = await add(fields);
        expect([key, answer.success, answer.code]).toEqual([key, true, expect.any(String)]);
        added[key] = String(answer.id);
      }
      await run();
      const bare = (value: string): string => unquoted(value.replace(/^TXT /, ''));
      const at = (whole: string) =>
        fake
          .of(whole)
          .map((value) => (value.startsWith('TXT ') ? `TXT ${bare(value)}` : value))
          .sort();
      const CAA = 'CAA 0 issue "letsencrypt.org"';
      expect(at(name)).toEqual([
        `A ${SERVER}`,
        CAA,
        'MX 10 mx1.example.net',
        'MX 20 mx2.example.net',
        'TXT not ours',
        'TXT v=spf1 mx -all',
      ]);
      expect(at(`k1._domainkey.${name}`)).toEqual([`TXT ${long}`]);
      expect(at(`www.${name}`)).toEqual(['A 198.51.100.1', 'A 198.51.100.2']);
      expect(at(`six.${name}`)).toEqual(['AAAA 2001:db8::1']);
      expect(at(`docs.${name}`)).toEqual(['CNAME pages.example.org']);
      expect(at(`_sip._tcp.${name}`)).toEqual(['SRV 10 5 5060 sip.example.net']);
      const listed = async () => (await ask('p_dns_record_list', { domain: name })).rows;
      expect((await listed()).map(({ state }) => state)).toEqual(Array.from({ length: 11 }, () => 'done'));
      expect((await ask('p_dns_record_list', { type: 'MX' })).rows).toHaveLength(2);
      const asked = fake.asked.length;
      await run();
      expect(fake.asked).toHaveLength(asked);

      const { row_version } = (await listed()).find(({ id }) => String(id) === String(added.www)) as { row_version: string };
      const record = { id: added.www!, value: '198.51.100.9', ttl: '3600', row_version };
      expect(await ask('p_dns_record_save', record)).toMatchObject({ success: true });
      // The second of two tabs is warned.
      expect(await ask('p_dns_record_save', { ...record, value: '198.51.100.10' })).toMatchObject({
        err: 'E_CONFLICT',
        fields: { value: expect.stringContaining('198.51.100.9') as string },
      });
      expect(await ask('p_dns_record_save', { id: added.www!, value: '198.51.100.9', ttl: '3600' })).toMatchObject({ success: true });
      expect(await ask('p_dns_record_delete', { id: added.mail! })).toMatchObject({ success: true });
      await serverLeadsTo('192.0.2.77');
      await run();
      expect(at(`www.${name}`)).toEqual(['A 198.51.100.2', 'A 198.51.100.9']);
      expect(at(name)).toEqual(['A 192.0.2.77', CAA, 'MX 20 mx2.example.net', 'TXT not ours', 'TXT v=spf1 mx -all']);

      // Administrators can remove a customer's records, but not the one that points a name to its host.
      const rows = (await admin('p_dns_record_list', { limit: '50' })).rows;
      const docs = rows.find((row) => row.name === `docs.${name}`)!;
      expect(await admin('p_dns_record_delete', { id: String(rows.find((row) => row.auto === '1')!.id) })).toMatchObject({
        success: false,
      });
      expect(await admin('p_dns_record_delete', { id: String(docs.id) })).toMatchObject({ success: true });
      await run();
      expect(fake.of(`docs.${name}`)).toEqual([]);

      // With a wildcard record instead, they are removed there, and return with the provider.
      await admin('xgym', { id: zone.id, provider_id: '0' });
      await run();
      expect(fake.records.map((record) => record.id)).toEqual(kind === 'powerdns' ? [expect.any(String)] : [foreign.id]);
      await admin('xgym', { id: zone.id, provider_id: String(id) });
      await run();
      expect(at(`six.${name}`)).toEqual(['AAAA 2001:db8::1']);
      expect(await ask('ymjb', { id: own })).toMatchObject({ success: true });
      await run();
      expect(at(name)).toEqual(['TXT not ours']);
      expect(fake.records).toHaveLength(1);
      expect(await panel.get(Database).repository(OwnDnsRecord).count()).toBe(0);
      expect(await panel.get(Database).repository(DnsEntry).count()).toBe(0);
    }));
});

describe('records of an owner', () => {
  it('are rejected with the reason when invalid', () =>
    withFake('cloudflare', async (_fake, id) => {
      const zone = await zoneAt(id);
      const name = `own.${zone.url}`;
      await take(zone.id, 'own');
      const add = (fields: Record<string, string>) =>
        ask('p_dns_record_add', { domain: name, name: 'www', type: 'A', value: '192.0.2.1', ...fields });
      for (const [fields, at] of [
        [{ value: 'localhost' }, 'value'],
        [{ value: '192.0.2.256' }, 'value'],
        [{ type: 'AAAA', value: 'fe80::1%eth0' }, 'value'],
        [{ type: 'CNAME', value: '192.0.2.1' }, 'value'],
        [{ type: 'CNAME', value: 'a..b' }, 'value'],
        [{ type: 'MX', value: '70000 mail.example.com' }, 'value'],
        [{ type: 'TXT', value: 'a\u0007b' }, 'value'],
        [{ name: '_sip._tcp', type: 'SRV', value: '5 5060 sip.example.com' }, 'value'],
        [{ name: '_sip._tcp', type: 'SRV', value: '10 5 70000 sip.example.com' }, 'value'],
        [{ name: '_sip._tcp', type: 'SRV', value: '10 5 5060 192.0.2.1' }, 'value'],
        [{ type: 'SRV', value: '10 5 5060 sip.example.com' }, 'name'],
        [{ name: '@', type: 'CAA', value: 'issue letsencrypt.org' }, 'value'],
        [{ name: '@', type: 'CAA', value: '7 issue "letsencrypt.org"' }, 'value'],
        [{ name: '@', type: 'CAA', value: '0 allow "letsencrypt.org"' }, 'value'],
        [{ name: '@', type: 'CAA', value: '0 issue "a.example" "b.example"' }, 'value'],
        [{ name: '@', type: 'CAA', value: '0 iodef "admin at example.com"' }, 'value'],
        [{ type: 'NS', value: 'ns.example.com' }, 'type'],
        [{ name: 'a b' }, 'name'],
        [{ name: 'x.*' }, 'name'],
        [{ name: '-a' }, 'name'],
        [{ name: '@' }, 'name'],
        [{ ttl: '60' }, 'ttl'],
        [{ domain: `free.${zone.url}` }, 'domain'],
        [{ domain: zone.url }, 'domain'],
      ] as const) {
        const answer = await add(fields);
        expect([fields, answer.success, Object.keys((answer.fields ?? {}) as object)]).toEqual([fields, false, [at]]);
      }
      expect(await add({})).toMatchObject({ success: true });
      expect(await add({})).toMatchObject({ success: false, err: 'E_EXISTS' });
      expect(await add({ type: 'CNAME', value: 'a.example.com' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
      const many = await Promise.all(Array.from({ length: 22 }, (_, at) => add({ name: `n${at}` })));
      expect(many.filter(({ success }) => success === true)).toHaveLength(19);
      const wildcard = await admin('addym', { url: `w${(zones += 1)}.example.net`, bt: 'local', sl: '0' });
      const url = (await admin('listym')).rows.find((row) => row.id === wildcard.id)!.url as string;
      await take(String(wildcard.id), 'pan');
      expect(await add({ domain: `pan.${url}` })).toMatchObject({ success: false, fields: { domain: expect.any(String) as string } });
      const page = await (await ann.send(`/user/dns-records?domain=${name}`)).text;
      expect(page).toContain(`n0.${name}`);
    }));

  it('cannot be seen, changed or removed by others', () =>
    withFake('cloudflare', async (_fake, id) => {
      const zone = await zoneAt(id);
      await take(zone.id, 'mine');
      const added = await ask('p_dns_record_add', { domain: `mine.${zone.url}`, name: 'www', type: 'A', value: '192.0.2.1' });
      await panel.admin('addzj', { user: 'eve001', pass: PASS, btdh: 'local', ll: '10', yhds: '0' });
      const eve = await new PanelClient(panel.url).login('user', 'eve001', PASS);
      for (const fields of [
        { gn: 'p_dns_record_save', id: String(added.id), value: '192.0.2.9' },
        { gn: 'p_dns_record_delete', id: String(added.id) },
        { gn: 'p_dns_record_add', domain: `mine.${zone.url}`, name: 'eve', type: 'A', value: '192.0.2.9' },
      ] as Record<string, string>[])
        expect((await eve.ajax('user', fields as never)).json).toMatchObject({ success: false });
      expect((await eve.ajax('user', { gn: 'p_dns_record_list' })).json).toMatchObject({ total: 0 });
    }));
});

describe('a provider', () => {
  it('that does not respond is retried at growing intervals and reported, and everything waits for it', () =>
    withFake('cloudflare', async (fake, id) => {
      const zone = await zoneAt(id);
      for (const prefix of ['a', 'b', 'c']) await take(zone.id, prefix);
      fake.instead = (_req, res) => {
        res.writeHead(503).end('busy');
        return true;
      };
      await run();
      expect(fake.asked).toHaveLength(1);
      expect(await provider(id)).toMatchObject({ problem: 'down', failures: 1 });
      expect((await admin('p_dns_provider_list')).rows).toMatchObject([
        { state: 'failing', problem: expect.stringContaining('503') as string },
      ]);
      expect((await ask('wdym')).rows.map(({ dns }) => dns)).toEqual(['waiting', 'waiting', 'waiting']);
      await run();
      expect(fake.asked).toHaveLength(1);
      for (const minutes of [2, 3, 5]) {
        later(minutes);
        await run();
      }
      expect(fake.asked).toHaveLength(4);
      const told = await panel.get(Database).repository(Notice).find();
      expect(told.map(({ link }) => link)).toEqual(['/admin/dns']);
      fake.instead = null;
      // Saving it again ends the wait.
      expect(
        await admin('p_dns_provider_save', { id: String(id), name: 'again', ...cs({ address: fake.address, token: '' }) }),
      ).toMatchObject({
        success: true,
      });
      await run();
      expect(fake.records).toHaveLength(3);
      expect(await provider(id)).toMatchObject({ problem: '', failures: 0, retryAt: null });
    }));

  it('that asks for a pause gets it, for as long as it says', () =>
    withFake('cloudflare', async (fake, id) => {
      const zone = await zoneAt(id);
      await take(zone.id, 'a');
      fake.instead = (_req, res) => {
        res.writeHead(429, { 'Retry-After': '900' }).end('{}');
        return true;
      };
      await run();
      later(14);
      await run();
      expect(fake.asked).toHaveLength(1);
      fake.instead = null;
      later(2);
      await run();
      expect(fake.of(`a.${zone.url}`)).toHaveLength(1);
    }));

  it('that stalls during a change leaves no duplicates', () =>
    withFake('aliyun', async (fake, id) => {
      const zone = await zoneAt(id);
      await take(zone.id, 'a');
      fake.instead = (_req, res, what) => {
        if (what !== 'AddDomainRecord') return false;
        // It was created anyway.
        fake.add('A', `a.${zone.url}`, SERVER);
        res.destroy();
        return true;
      };
      await run();
      fake.instead = null;
      later(3);
      await run();
      expect(fake.of(`a.${zone.url}`)).toEqual([`A ${SERVER}`]);
      expect(await entry(`a.${zone.url}`)).toMatchObject({ state: 'done', problem: '', ownProviderId: id });
    }));

  it('has no zone, or no known target address: the record says so', () =>
    withFake('dnspod', async (fake, id) => {
      const zone = await zoneAt(id, `n${(zones += 1)}.example.org`);
      await take(zone.id, 'a');
      await run();
      const { rows } = await admin('p_dns_record_list');
      expect(rows).toMatchObject([{ state: 'failed', problem: expect.stringContaining(zone.url) as string }]);
      expect((await ask('wdym')).rows).toMatchObject([{ dns: 'failed' }]);
      await serverLeadsTo('');
      await run();
      expect(await entry(`a.${zone.url}`)).toMatchObject({ state: 'failed', problem: 'no_target' });
      expect(fake.records).toEqual([]);
    }));

  it('can be replaced: records move to the new one, and are removed with a wildcard record', () =>
    withFake('cloudflare', (first, firstId) =>
      withFake('powerdns', async (second, secondId) => {
        const zone = await zoneAt(firstId);
        const name = `a.${zone.url}`;
        await take(zone.id, 'a');
        await run();
        expect(await admin('p_dns_provider_delete', { id: String(firstId) })).toMatchObject({ success: false, err: 'E_INUSE' });
        expect(await admin('xgym', { id: zone.id, provider_id: String(secondId) })).toMatchObject({ success: true });
        await run();
        expect([first.of(name), second.of(name)]).toEqual([[], [`A ${SERVER}`]]);
        expect(await admin('xgym', { id: zone.id, provider_id: '0' })).toMatchObject({ success: true });
        expect((await admin('ymsj', { id: zone.id })).data ?? (await admin('listym')).rows[0]).toMatchObject({ channel: 'pan' });
        await run();
        expect(second.of(name)).toEqual([]);
        expect((await ask('wdym')).rows).toMatchObject([{ dns: '' }]);
        expect(await admin('p_dns_provider_delete', { id: String(firstId) })).toMatchObject({ success: true });
      }),
    ));

  it('never shows a secret, and requires it again for another address', () =>
    withFake('dnspod', async (fake, id) => {
      const secret = FAKE_SETTINGS.dnspod.token!;
      const row = await provider(id);
      expect(row.settings).not.toContain(secret);
      fake.instead = (_req, res) => {
        res.writeHead(200).end(JSON.stringify({ status: { code: '7', message: `refused for ${secret}` } }));
        return true;
      };
      const test = await admin('p_dns_provider_test', { id: String(id) });
      expect(test).toMatchObject({ success: false });
      const elsewhere = { id: String(id), name: 'x', ...cs({ token_id: '13490', token: '', address: 'http://127.0.0.1:9' }) };
      const refused = await admin('p_dns_provider_save', elsewhere);
      expect(refused).toMatchObject({ success: false, fields: { 'cs[token]': expect.any(String) as string } });
      const list = await admin('p_dns_provider_list');
      const page = await (await panel.adminFetch(`/admin/dns-provider?id=${id}`)).text();
      const lines = await panel.get(Database).repository(OperationLog).find();
      expect(JSON.stringify([test, refused, list, page, lines])).not.toContain(secret);
      const saved = lines.filter(({ category }) => category === 'p_dns_provider_save').at(-1)!;
      expect(JSON.stringify(saved.changes)).toContain('dns_account');
    }));

  it.each([
    [{ slug: 'nowhere', name: 'x' }, 'slug'],
    [{ slug: 'cloudflare', name: '' }, 'name'],
    [{ slug: 'cloudflare', name: 'x' }, 'cs[token]'],
    [{ slug: 'cloudflare', name: 'x', 'cs[token]': 'a\u0000b' }, 'cs[token]'],
    [{ slug: 'cloudflare', name: 'x', 'cs[token]': 'x'.repeat(1_001) }, 'cs[token]'],
    [{ slug: 'cloudflare', name: 'x', 'cs[token]': 'x', 'cs[more]': 'y' }, 'cs[more]'],
    [{ slug: 'powerdns', name: 'x', 'cs[api_key]': 'x', 'cs[address]': 'file:///etc/passwd' }, 'cs[address]'],
    [{ slug: 'powerdns', name: 'x', 'cs[api_key]': 'x' }, 'cs[address]'],
  ])('is rejected when invalid: case %#', async (fields, at) => {
    const answer = await admin('p_dns_provider_save', fields as Record<string, string>);
    expect([answer.success, Object.keys(answer.fields ?? {})]).toEqual([false, [at]]);
  });

  it('whose encrypted settings cannot be read asks for them again', () =>
    withFake('cloudflare', async (fake, id) => {
      await panel.get(Database).repository(DnsProvider).update({ id }, { settings: 'svc1:garbage' });
      expect(await admin('p_dns_provider_test', { id: String(id) })).toMatchObject({ success: false });
      expect(await provider(id)).toMatchObject({ problem: 'settings' });
      expect(fake.asked).toEqual([]);
    }));
});

describe('a provider with invalid responses', () => {
  it.each([
    ['an id without end', [{ id: 'x'.repeat(100_000), name: 'example.com' }]],
    ['names that are none', [{ id: '1', name: '\u202e<script>'.repeat(5_000) }]],
    ['ten thousand zones', Array.from({ length: 10_000 }, (_, n) => ({ id: String(n), name: `z${n}.example.com` }))],
    ['no names', [{ id: '1' }, null, 7, 'x']],
  ])('with %s gets an error message, and none of its data is stored as it is', (_what, result) =>
    withFake('cloudflare', async (fake, id) => {
      fake.instead = (_req, res) => {
        res.writeHead(200).end(JSON.stringify({ success: true, result }));
        return true;
      };
      const zone = await zoneAt(id);
      await take(zone.id, 'a');
      const answer = await admin('p_dns_provider_test', { id: String(id) });
      expect(JSON.stringify(answer).length).toBeLessThan(20_000);
      expect((await provider(id)).zones?.length ?? 0).toBeLessThanOrEqual(50);
      await run();
      expect((await admin('p_dns_record_list')).rows).toHaveLength(1);
      expect((await entry(`a.${zone.url}`))!.state).not.toBe('done');
    }),
  );

  it('shows a conflicting record on one line', () =>
    withFake('cloudflare', async (fake, id) => {
      const zone = await zoneAt(id);
      fake.add('A', `a.${zone.url}`, `\u202e<b>\n${'9'.repeat(90_000)}`);
      await take(zone.id, 'a');
      await run();
      const [row] = (await admin('p_dns_record_list')).rows;
      expect(String(row!.problem).length).toBeLessThan(600);
      expect(String(row!.problem)).not.toMatch(/[\n\u202e]/);
      expect(await (await panel.adminFetch('/admin/dns')).text()).not.toContain('<b>');
    }));
});

describe('records', () => {
  it('are processed by one process at a time, whatever runs concurrently', () =>
    withFake('cloudflare', async (fake, id) => {
      const zone = await zoneAt(id);
      for (let n = 0; n < 12; n += 1) await take(zone.id, `p${n}`);
      await Promise.all([run(), run(), run()]);
      await run();
      const made = fake.asked.filter((what) => what.startsWith('POST'));
      expect([fake.records.length, made.length]).toEqual([12, 12]);
      expect((await admin('p_dns_record_list', { state: 'done' })).rows).toHaveLength(12);
    }));

  it('are not overwritten by a process that lost its claim', () =>
    withFake('cloudflare', async (fake, id) => {
      const zone = await zoneAt(id);
      await take(zone.id, 'slow');
      const name = `slow.${zone.url}`;
      fake.instead = (req, _res, what) => {
        if (!what.startsWith('GET /client/v4/zones/')) return false;
        // During the check, another process continues with it.
        fake.instead = null;
        void entry(name).then(async (row) => {
          await panel
            .get(Database)
            .repository(DnsEntry)
            .update({ id: row!.id }, { turn: row!.turn + 1, dueAt: clock.now() });
          req.socket.destroy();
        });
        return true;
      };
      await run();
      later(10);
      await run();
      expect(fake.of(name)).toEqual([`A ${SERVER}`]);
      expect(await entry(name)).toMatchObject({ state: 'done' });
    }));

  it('removed at the provider are created again within a day', () =>
    withFake('powerdns', async (fake, id) => {
      const zone = await zoneAt(id);
      await take(zone.id, 'a');
      await run();
      fake.records.length = 0;
      await run();
      expect(fake.records).toEqual([]);
      later(25 * 60);
      await run();
      expect(fake.of(`a.${zone.url}`)).toEqual([`A ${SERVER}`]);
    }));

  it('stay when a provider is removed, and are no longer managed', () =>
    withFake('cloudflare', async (fake, id) => {
      const zone = await zoneAt(id);
      await take(zone.id, 'a');
      await run();
      expect(await admin('xgym', { id: zone.id, provider_id: '0' })).toMatchObject({ success: true });
      expect(await admin('p_dns_provider_delete', { id: String(id) })).toMatchObject({ success: true });
      await run();
      expect(fake.of(`a.${zone.url}`)).toEqual([`A ${SERVER}`]);
      expect(await entry(`a.${zone.url}`)).toBeNull();
    }));
});
