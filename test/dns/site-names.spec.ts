/** The subdomains of sites, set up at a DNS provider: each points to the server of its host, from its creation to its end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { DnsEntry, DnsProvider } from '../../src/dns/index.js';
import { HostingAccount, HostingNode } from '../../src/hosting/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { OperationLog } from '../../src/operations/index.js';
import { FakeDns } from '../support/fake-dns.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';
import { runJob } from '../support/run-job.js';

const PASS = 'secret-pass-1';
type Answer = Omit<AjaxAnswer, 'rows'> & { id: number; rows: Record<string, unknown>[] };

const admin = async (panel: TestPanel, gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
  (await panel.admin(gn, fields)) as unknown as Answer;
async function addProvider(panel: TestPanel, fake: FakeDns): Promise<string> {
  const settings = Object.fromEntries(Object.entries(fake.settings).map(([key, value]) => [`cs[${key}]`, value]));
  return String((await admin(panel, 'p_dns_provider_save', { slug: fake.kind, name: fake.kind, ...settings })).id);
}

describe('the subdomains of sites', () => {
  let panel: TestPanel;
  let first: FakeDns;
  let second: FakeDns;
  let ids: string[];
  beforeAll(async () => {
    panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32', SITES_DOMAIN: 'sites.example.com:80' });
    [first, second] = [await FakeDns.start('cloudflare'), await FakeDns.start('powerdns')];
    ids = [await addProvider(panel, first), await addProvider(panel, second)];
    await serverLeadsTo('192.0.2.10');
    await open('Early01');
  });
  afterAll(async () => {
    await panel.close();
    for (const fake of [first, second]) await fake.close();
  });
  const open = (user: string) => panel.admin('addzj', { user, pass: PASS, btdh: 'local', ll: '10', yhds: '0', ymbds: '0' });
  const serverLeadsTo = (dnsTarget: string) => panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget });
  const run = () => runJob(panel.get(JobRegistry), 'dns-records');
  const choose = (provider_id: string) => admin(panel, 'p_dns_sites_save', { provider_id });
  const entry = (name: string) => panel.get(Database).repository(DnsEntry).findOneBy({ name });
  const of = (user: string, fake = first) => fake.of(`${user}.sites.example.com`);

  it('are created nowhere before a provider is selected', async () => {
    await run();
    expect(first.records).toEqual([]);
    expect(await choose('99')).toMatchObject({ success: false, fields: { provider_id: expect.any(String) as string } });
    expect(await choose(ids[0]!)).toMatchObject({ success: true });
    const lines = await panel.get(Database).repository(OperationLog).findBy({ category: 'p_dns_sites_save' });
    expect(lines.at(-1)).toMatchObject({ fields: expect.stringContaining('siteNamesProvider') as string });
  });

  it('cover existing and new hosts, and follow the address of the server', async () => {
    await run();
    expect(of('early01')).toEqual(['A 192.0.2.10']);
    await open('late01');
    await run();
    expect(of('late01')).toEqual(['A 192.0.2.10']);
    await serverLeadsTo('192.0.2.11');
    await run();
    expect([of('early01'), of('late01')]).toEqual([['A 192.0.2.11'], ['A 192.0.2.11']]);
  });

  it('on a server without a known address, or whose address is the site’s own name, are left to the wildcard record', async () => {
    await serverLeadsTo('');
    await run();
    expect(first.records).toEqual([]);
    await serverLeadsTo('late01.sites.example.com');
    await run();
    expect([of('early01'), of('late01')]).toEqual([['CNAME late01.sites.example.com'], []]);
    await serverLeadsTo('192.0.2.10');
    await run();
    expect([of('early01'), of('late01')]).toEqual([['A 192.0.2.10'], ['A 192.0.2.10']]);
  });

  it('leave records of others alone', async () => {
    first.add('A', 'hand01.sites.example.com', '198.51.100.7');
    await open('hand01');
    await run();
    expect(of('hand01')).toEqual(['A 198.51.100.7']);
    expect(await entry('hand01.sites.example.com')).toMatchObject({ state: 'failed', problem: 'taken' });
  });

  it('are removed with the host, and return with it', async () => {
    const { id } = await panel.get(Database).repository(HostingAccount).findOneByOrFail({ userKey: 'late01' });
    expect(await panel.admin('zjsc', { id: String(id) })).toMatchObject({ success: true });
    await run();
    expect([of('late01'), await entry('late01.sites.example.com')]).toEqual([[], null]);
    await open('late01');
    await run();
    expect(of('late01')).toEqual(['A 192.0.2.10']);
  });

  it('move to another provider, which cannot be removed meanwhile, and are removed when none is selected', async () => {
    expect(await choose(ids[1]!)).toMatchObject({ success: true });
    await run();
    await run();
    expect([of('early01'), of('early01', second)]).toEqual([[], ['A 192.0.2.10']]);
    expect(await admin(panel, 'p_dns_provider_delete', { id: ids[1]! })).toMatchObject({ success: false, err: 'E_INUSE' });
    expect(await admin(panel, 'p_dns_provider_delete', { id: ids[0]! })).toMatchObject({ success: true });
    expect(await choose('0')).toMatchObject({ success: true });
    await run();
    expect(second.records).toEqual([]);
    expect(await admin(panel, 'p_dns_provider_delete', { id: ids[1]! })).toMatchObject({ success: true });
    expect(await panel.get(Database).repository(DnsProvider).count()).toBe(0);
  });
});

it('are not created when SITES_DOMAIN is only for this machine', async () => {
  const panel = await TestPanel.start();
  try {
    expect(await admin(panel, 'p_dns_sites_save', { provider_id: '0' })).toMatchObject({ success: false, err: 'E_STATE' });
    expect(await (await panel.adminFetch('/admin/dns')).text()).not.toContain('dns-sites');
  } finally {
    await panel.close();
  }
});
