/**
 * Names at a real name server: Debian's PowerDNS with its HTTP API. Without it (`apt install pdns-server pdns-backend-sqlite3`) nothing is
 * tested here, and the title says so; in CI it always runs.
 */
import { Resolver } from 'node:dns/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DnsEntry } from '../../src/dns/index.js';
import { Database } from '../../src/database/index.js';
import { HostingNode, SoldName } from '../../src/hosting/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { Order, Orders, Settlement } from '../../src/payment/index.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';
import { hasPowerDns, PowerDns } from '../support/powerdns.js';
import { runJob } from '../support/run-job.js';

const PASS = 'secret-pass-1';

describe.skipIf(!hasPowerDns)(
  `names at PowerDNS${hasPowerDns ? '' : ' (not run: install the Debian packages pdns-server and pdns-backend-sqlite3)'}`,
  () => {
    let panel: TestPanel;
    let server: PowerDns;
    let ann: PanelClient;
    let resolver: Resolver;
    let provider: string;
    let zone: string;

    beforeAll(async () => {
      server = await PowerDns.start(['example.com', 'other.example.net']);
      panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
      await panel.admin('addzj', { user: 'ann001', pass: PASS, btdh: 'local', ll: '10', yhds: '0' });
      ann = await new PanelClient(panel.url).login('user', 'ann001', PASS);
      resolver = new Resolver();
      resolver.setServers([`127.0.0.1:${server.port}`]);
      await leadsTo('192.0.2.10');
      const fields = { 'cs[address]': server.address, 'cs[api_key]': server.key };
      provider = String(
        ((await panel.admin('p_dns_provider_save', { slug: 'powerdns', name: 'mine', ...fields })) as unknown as { id: number }).id,
      );
      const url = { url: 'names.example.com', bt: 'local', sl: '0', channel: 'dnsapi', provider_id: provider };
      zone = String(((await panel.admin('addym', url)) as unknown as { id: number }).id);
    }, 60_000);
    afterAll(async () => {
      await panel?.close();
      server?.stop();
    });

    const leadsTo = (dnsTarget: string) => panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget });
    const run = () => runJob(panel.get(JobRegistry), 'dns-records');
    const take = async (qz: string) => (await ann.ajax('user', { gn: 'ymbd', id: zone, qz })).json;
    const nothing = (name: string) =>
      resolver.resolveAny(name).then(
        (found) => found,
        (error: { code: string }) => error.code,
      );

    it('lists its zones, and reports a wrong key', async () => {
      expect(await panel.admin('p_dns_provider_test', { id: provider })).toMatchObject({
        success: true,
        zones: ['example.com', 'other.example.net'],
      });
      const wrong = { slug: 'powerdns', name: 'wrong', 'cs[address]': server.address, 'cs[api_key]': 'not-the-key' };
      const { id } = (await panel.admin('p_dns_provider_save', wrong)) as unknown as { id: number };
      expect(await panel.admin('p_dns_provider_test', { id: String(id) })).toMatchObject({ success: false, err: 'E_UNREACH' });
    });

    it('resolves an assigned name, follows the server, and stops after its release', async () => {
      const name = 'shop.names.example.com';
      const { id } = await take('shop');
      await run();
      expect(await resolver.resolve4(name)).toEqual(['192.0.2.10']);
      await leadsTo('2001:db8::0:1');
      await run();
      expect(await resolver.resolve6(name)).toEqual(['2001:db8::1']);
      await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: 'ENODATA' });
      await leadsTo('web.example.net');
      await run();
      expect(await resolver.resolveCname(name)).toEqual(['web.example.net']);
      await leadsTo('192.0.2.11');
      await run();
      expect(await resolver.resolve4(name)).toEqual(['192.0.2.11']);
      await ann.ajax('user', { gn: 'ymjb', id: String(id) });
      await run();
      expect(await nothing(name)).toMatch(/ENOTFOUND|ENODATA/);
    });

    it('resolves a sold name, and the owner’s records below it', async () => {
      for (const slug of ['sandbox', 'domain_shop']) await panel.enable(slug);
      const url = { url: 'sold.example.com', bt: 'local', jg: '9.90', ys: '12', sl: '0', provider_id: provider };
      const { id } = (await panel.admin('addym', url)) as unknown as { id: number };
      const name = 'shop.sold.example.com';
      const bought = await ann.send('/domain/buy', {
        method: 'POST',
        body: new URLSearchParams({ zone: String(id), prefix: 'shop', request: 'bought' }),
      });
      expect(bought.status).toBe(303);
      const [order] = await panel
        .get(Database)
        .repository(Order)
        .find({ order: { id: 'DESC' }, take: 1 });
      await run();
      expect(await nothing(name)).toMatch(/ENOTFOUND|ENODATA/);
      await panel.get(Orders).chooseType(order!.id, 'sandbox__test');
      await panel.get(Settlement).settle(order!.number, 'sandbox', { trade_no: 'T1', amount: order!.amount });
      await expect.poll(() => panel.get(Database).repository(SoldName).countBy({ name, state: 'sold' }), { timeout: 15_000 }).toBe(1);
      await run();
      expect(await resolver.resolve4(name)).toEqual(['192.0.2.11']);

      const add = async (fields: Record<string, string>) =>
        (await ann.ajax('user', { gn: 'p_dns_record_add', domain: name, ...fields })).json as { success: boolean; id: number };
      const key = `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0B'.repeat(18)}`;
      const first = await add({ name: '@', type: 'TXT', value: 'v=spf1 mx -all' });
      for (const fields of [
        { name: '@', type: 'TXT', value: 'site-verification="quoted"' },
        { name: 'k1._domainkey', type: 'TXT', value: key },
        { name: '@', type: 'MX', value: '10 mx.example.net' },
        { name: '_sip._tcp', type: 'SRV', value: '10 5 5060 sip.example.net' },
        { name: '@', type: 'CAA', value: '0 issue "letsencrypt.org"' },
        { name: '@', type: 'CAA', value: '128 iodef "mailto:admin@example.com"' },
        { name: '*', type: 'A', value: '198.51.100.4' },
        { name: 'www', type: 'A', value: '198.51.100.1' },
        { name: 'www', type: 'A', value: '198.51.100.2' },
      ])
        expect(await add(fields)).toMatchObject({ success: true });
      await run();
      expect((await panel.admin('p_dns_record_list', { state: 'failed' })).rows).toEqual([]);
      const texts = async (of: string) => (await resolver.resolveTxt(of)).map((pieces) => pieces.join('')).sort();
      expect(await texts(name)).toEqual(['site-verification="quoted"', 'v=spf1 mx -all']);
      expect(await texts(`k1._domainkey.${name}`)).toEqual([key]);
      expect(await resolver.resolveMx(name)).toMatchObject([{ priority: 10, exchange: 'mx.example.net' }]);
      expect(await resolver.resolveSrv(`_sip._tcp.${name}`)).toMatchObject([
        { priority: 10, weight: 5, port: 5060, name: 'sip.example.net' },
      ]);
      expect((await resolver.resolveCaa(name)).sort((a, b) => a.critical - b.critical)).toMatchObject([
        { critical: 0, issue: 'letsencrypt.org' },
        { critical: 128, iodef: 'mailto:admin@example.com' },
      ]);
      expect((await resolver.resolve4(`www.${name}`)).sort()).toEqual(['198.51.100.1', '198.51.100.2']);
      expect(await resolver.resolve4(`anything.${name}`)).toEqual(['198.51.100.4']);
      await ann.ajax('user', { gn: 'p_dns_record_delete', id: String(first.id) });
      await run();
      expect(await texts(name)).toEqual(['site-verification="quoted"']);
      const { id: sold } = await panel.get(Database).repository(SoldName).findOneByOrFail({ name });
      await ann.ajax('user', { gn: 'ymjb', id: String(sold) });
      await run();
      expect(await nothing(`www.${name}`)).toMatch(/ENOTFOUND|ENODATA/);
    });

    it('keeps records of others, even next to ours', async () => {
      const set = (name: string, type: string, ...values: string[]) =>
        server.api('PATCH', '/zones/example.com.', {
          rrsets: [
            { name: `${name}.`, type, ttl: 60, changetype: 'REPLACE', records: values.map((content) => ({ content, disabled: false })) },
          ],
        });
      await set('taken.names.example.com', 'A', '198.51.100.7');
      const { id } = await take('taken');
      const both = await take('both');
      await run();
      expect(await resolver.resolve4('taken.names.example.com')).toEqual(['198.51.100.7']);
      expect((await panel.admin('p_dns_record_list', { state: 'failed' })).rows).toMatchObject([{ name: 'taken.names.example.com' }]);
      expect(await resolver.resolve4('both.names.example.com')).toEqual(['192.0.2.11']);
      // A second, manual address: our part is removed with the name, the other stays.
      await set('both.names.example.com', 'A', '192.0.2.11', '198.51.100.8');
      for (const name of [id, both.id]) await ann.ajax('user', { gn: 'ymjb', id: String(name) });
      await run();
      expect(await resolver.resolve4('taken.names.example.com')).toEqual(['198.51.100.7']);
      expect(await resolver.resolve4('both.names.example.com')).toEqual(['198.51.100.8']);
      expect(await panel.get(Database).repository(DnsEntry).count()).toBe(0);
    });
  },
);
