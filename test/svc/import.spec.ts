import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import { Secrets } from '../../src/config/index.js';
import { Database } from '../../src/database/index.js';
import { SiteConfig } from '../../src/site/entities/index.js';
import { DnsEntry, DnsProvider, OwnDnsRecord } from '../../src/dns/index.js';
import { DeployProgram, DriverNodes, HostingAccount, HostingNode, SaleDomain, SiteDomain, SoldName } from '../../src/hosting/index.js';
import { Quiet, Restored } from '../../src/jobs/index.js';
import { MAIL_PASSWORD_PLACE } from '../../src/notify/index.js';
import { Order, PaymentTransaction } from '../../src/payment/index.js';
import { TestPanel } from '../support/panel.js';
import { svc, type SvcAnswer } from '../support/svc.js';
import { createOf, HEAD, insertOf, OLD_PANEL, oldPanelDump } from './old-panel.js';

describe('svc import', () => {
  let panel: TestPanel;
  let isRunning = true;
  beforeAll(async () => (panel = await TestPanel.start()));
  afterAll(() => (isRunning ? panel.close() : panel.place.dispose()));

  const file = (content: string | Buffer, name = 'dump.sql'): string => {
    const path = join(panel.dataDir, name);
    writeFileSync(path, content);
    return path;
  };
  const run = (content: string | Buffer, ...options: string[]): Promise<SvcAnswer> =>
    svc(panel.place, ['import', file(content), ...options]);
  const rowsOf = <Entity extends { id: number }>(target: new () => Entity): Promise<Entity[]> =>
    panel
      .get(Database)
      .repository<Entity>(target)
      .find({ order: { id: 'ASC' } as never });

  it('is refused next to a running panel', async () => {
    expect(await run(oldPanelDump())).toMatchObject({ code: 1, text: expect.stringContaining('Stop all its processes') });
    await panel.stop();
    isRunning = false;
  });

  it('shows what would be imported and skipped, for any dump format, and changes nothing', async () => {
    const shown = await run(oldPanelDump(), '--dry-run');
    expect(shown).toMatchObject({ code: 0, text: expect.stringContaining('Nothing was changed.') });
    for (const line of [
      'servers: 2',
      'hosting accounts: 3',
      'orders: 6',
      'programs: 1',
      'hosting accounts: its name occurs twice: ALICE01',
      'hosting accounts: its server was not imported: dave01',
      'hosting accounts: its datae is not a date: erin01',
      'hosting accounts: it is a CDN entry: cdn001',
      'orders: its amount (je) is not an amount of money: 20200101120000999',
      'settings: this panel has no such setting: hxe, hxu, home_enable',
      'settings: the administrators of this installation are kept: user, pwd',
      'tables: tables of this name are not imported: SVC_log',
      'DNS providers: 1',
      'domains for sale: 2',
      'names that were sold: 1',
      'DNS records: 2',
      'DNS providers: its kind (slug) is not supported: Another',
      'domains for sale: this domain, or one that contains it, already exists: below.shop-names.com',
      'domains for sale: its server was not imported: other-names.com',
      'names that were sold: it was already sold by an earlier order: hi.shop-names.com',
      'DNS records: it belongs to another host than its name: www.hi.shop-names.com',
      'DNS records: its name was not imported: www.nobodys.shop-names.com',
      'DNS records: its type or value is not supported: x.hi.shop-names.com',
      'set a new one (Hosts): carol1',
    ])
      expect(shown.text).toContain(line);
    expect(shown.text).not.toMatch(/clear text|mail secret|bobs password|dns secret/);
    const others: Record<string, string | Buffer> = {
      gzip: gzipSync(oldPanelDump()),
      'line ends of Windows, and a mark': `\uFEFF${oldPanelDump().replaceAll('\n', '\r\n')}`,
      'another prefix, in capitals': oldPanelDump().replaceAll('SVC_', 'MNBT_'),
      'tables in another order':
        HEAD +
        (['plg_dns_record', 'ym', 'zj', 'dd', 'plg_domain_product', 'log', 'bs', 'config', 'plg_dns_provider', 'bt'] as const)
          .map((table) => createOf(table) + insertOf(table, OLD_PANEL[table]))
          .join(''),
      'no prefix': oldPanelDump().replaceAll('SVC_', ''),
      'UTF-16, as a redirection of PowerShell writes it': Buffer.from(`\uFEFF${oldPanelDump()}`, 'utf16le'),
    };
    const [, ...counts] = shown.text.split('Skipped:')[0]!.split('\n');
    for (const [how, content] of Object.entries(others)) {
      const again = await run(content, '--dry-run');
      expect(again.text.split('Skipped:')[0]!.split('\n').slice(1), how).toEqual(counts);
    }
    const asked = await run(oldPanelDump());
    expect(asked).toMatchObject({ code: 1, text: expect.stringMatching(/Import it\?\nNothing was changed\. Add --yes/) });
  });

  it('names what it cannot read', async () => {
    for (const [content, words] of [
      ['', 'no tables at all'],
      ['not a dump at all', 'no tables at all'],
      ['CREATE TABLE wp_posts (id int);', 'It has wp_posts'],
      [HEAD + insertOf('zj', OLD_PANEL.zj), 'structure of the tables'],
      [oldPanelDump().replace('SET NAMES utf8 ', 'SET NAMES latin1 '), 'latin1'],
      [oldPanelDump() + oldPanelDump().replaceAll('SVC_', 'other_'), 'several panels'],
      [oldPanelDump().slice(0, -400).slice(0, oldPanelDump().indexOf('bobs pass')), 'truncated'],
      [Buffer.from('PK\x03\x04zip'), 'ZIP'],
      [gzipSync(oldPanelDump()).subarray(0, 500), 'cannot be decompressed'],
      [oldPanelDump().replace(/'HK01'/g, "'local'"), 'server local already exists'],
      [oldPanelDump().replaceAll('`ssbt`', '`user_key`'), 'svc backup'],
    ] as const)
      expect(await run(content, '--yes'), words).toMatchObject({ code: expect.any(Number), text: expect.stringContaining(words) });
    expect(await svc(panel.place, ['import', '/no/such/file'])).toMatchObject({
      code: 1,
      text: expect.stringContaining('does not exist'),
    });
  });

  it('leaves nothing when it is killed, and imports everything the next time', async () => {
    const many = Array.from({ length: 600 }, (_, at) => ({ ...OLD_PANEL.zj[1]!, id: 1_000 + at, user: `killed${at}` }));
    const path = file(oldPanelDump({ ...OLD_PANEL, zj: many }), 'many.sql');
    await killedImport(path);
    // A database server needs a moment to notice that a client is gone.
    await expect.poll(async () => (await run(oldPanelDump(), '--yes')).text).toContain('Imported.');
    expect(await run(oldPanelDump(), '--yes')).toMatchObject({
      code: 1,
      text: expect.stringContaining('There are 3 hosting accounts and 6 orders'),
    });
  }, 60_000);

  /** Starts an import in a separate process and kills it while passwords are hashed, which takes many seconds. */
  async function killedImport(path: string): Promise<void> {
    const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'dist/src/cli/svc.js'), 'import', path, '--yes'], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        DATA_DIR: panel.dataDir,
        DATABASE_URL: panel.place.databaseUrl,
      },
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let shown = '';
    child.stdout.on('data', (data: Buffer) => (shown += data.toString()));
    await expect.poll(() => shown).toContain('Check by hand:');
    child.kill('SIGKILL');
    await ended;
  }

  it('gives shops, owners and administrators their previous data', async () => {
    await panel.resume();
    isRunning = true;
    const nodes = await rowsOf(HostingNode);
    expect(nodes.map(({ id, code }) => [id, code])).toEqual([
      [1, 'local'],
      [2, 'Win'],
      [expect.any(Number), 'HK01'],
    ]);
    expect(nodes[2]).toMatchObject({
      address: '192.0.2.10',
      port: 8888,
      secure: true,
      driver: 'baota',
      ftpAddress: '',
      defaultPhp: '',
    });
    expect(panel.get(DriverNodes).openKey(nodes[2]!.sealedPanelKey)).toBe('key-of-bt');
    expect(JSON.stringify(nodes)).not.toContain('key-of-bt');
    expect(nodes[1]).toMatchObject({ port: 0, system: 2, enabled: false, ftpAddress: 'ftp.example.com', defaultPhp: '74' });

    const shop = async (gn: string, fields: Record<string, string>): Promise<unknown> => {
      const keys = { svc_bh: 'HK01', svc_vs: '17', svc_key: 'shortkey', svc_keye: createHash('md5').update('open-keysign').digest('hex') };
      return (await panel.fetch(`/api/api.php?gn=${gn}`, { method: 'POST', body: new URLSearchParams({ ...keys, ...fields }) })).json();
    };
    expect(await shop('cfif', { username: 'bob01' })).toMatchObject({ code: 200 });
    expect(await shop('ztcx', { username: 'nobody' })).toMatchObject({ code: 100 });
    for (const [user, pass, may] of [
      ['alice01', "pass'w\\ord空间", true],
      ['bob01', 'bobs password', true],
      ['carol1', '$2y$10$abcdefghijklmnopqrstuv', false],
    ] as const) {
      const answer = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'login', user, pass }) });
      expect(((await answer.json()) as { success: boolean }).success, user).toBe(may);
    }

    const [alice, bob, carol] = await rowsOf(HostingAccount);
    expect(alice).toMatchObject({
      id: 7,
      nodeCode: 'HK01',
      siteName: 'svc.7.abc',
      siteId: '55',
      expiresOn: null,
      state: 'active',
      pauseReasons: [],
      webQuotaMb: 1024,
      databaseQuotaMb: 256,
      trafficQuotaGb: 50,
      domainQuota: 3,
      trafficUsedBytes: 1234,
      email: 'alice@example.com',
      createdAt: new Date('2023-03-03T21:06:07Z'),
    });
    expect(bob).toMatchObject({ id: 8, state: 'paused', pauseReasons: ['expiry'], expiresOn: '2024-01-31', webQuotaMb: 0, email: null });
    expect(carol).toMatchObject({ id: 9, state: 'paused', pauseReasons: ['api'] });

    const [bought, open, earlier, free, named] = await rowsOf(Order);
    expect(bought).toMatchObject({
      id: 10,
      number: '20240101120000123',
      user: 'Alice01',
      ownerKind: 'account',
      ownerId: 7,
      amount: 990,
      type: 'epay__alipay',
      scene: 'yjbs',
      status: 'paid',
      context: { user: 'Alice01', gmid: '1' },
      paidAt: new Date('2024-01-01T04:00:00Z'),
      ip: '198.51.100.7',
    });
    expect(open).toMatchObject({ id: 11, status: 'unpaid', ownerId: null, context: {}, paidAt: null, name: 'hosting' });
    expect([earlier!.ownerId, free!.ownerId]).toEqual([null, null]);
    expect(
      (await rowsOf(PaymentTransaction)).map(({ orderId, gateway, amount, tradeNumber }) => [orderId, gateway, amount, tradeNumber]),
    ).toEqual([
      [10, 'epay', 990, '20240101120000123'],
      [12, 'epay', 100, '20200101120000124'],
      [15, 'epay', 1_250, '20240301120000123'],
    ]);
    expect(named).toMatchObject({ id: 15, scene: 'ymgm', ownerId: 7 });
    const [provider] = await rowsOf(DnsProvider);
    expect(provider).toMatchObject({ slug: 'dnspod', name: 'Our DNSPod' });
    expect(JSON.stringify(provider)).not.toContain('dns secret');
    expect(JSON.parse(panel.get(Secrets).open(provider!.settings, 'dns.provider')!)).toEqual({
      token_id: '13490',
      token: 'dns secret',
      address: 'https://dnsapi.cn',
    });
    const zones = (await rowsOf(SaleDomain)).map(({ domain, nodeCode, price, onSale, channel, providerId }) => [
      domain,
      nodeCode,
      price,
      onSale,
      channel,
      providerId,
    ]);
    expect(zones.sort()).toEqual([
      ['old-names.com', 'HK01', 0, false, 'pan', 0],
      ['shop-names.com', 'HK01', 1_250, true, 'dnsapi', provider!.id],
    ]);
    expect(await rowsOf(SoldName)).toMatchObject([
      { name: 'hi.shop-names.com', prefix: 'hi', state: 'sold', accountId: 7, orderNo: '20240301120000123', expiresOn: null },
    ]);
    expect(await rowsOf(SiteDomain)).toMatchObject([{ name: 'hi.shop-names.com', reversed: 'com.shop-names.hi', accountId: 7 }]);
    expect(await rowsOf(OwnDnsRecord)).toMatchObject([{ name: 'hi.shop-names.com', type: 'MX', value: '10 mx.example.net', ttl: 600 }]);
    const own = { name: 'hi.shop-names.com', providerId: provider!.id, ownProviderId: provider!.id };
    expect((await rowsOf(DnsEntry)).sort((a, b) => a.slot - b.slot)).toMatchObject([
      { ...own, slot: 0, type: 'A', value: '192.0.2.10', own: { type: 'A', values: ['192.0.2.10'], id: '81' } },
      { ...own, type: 'MX', content: '10 mx.example.net', own: { type: 'MX', values: ['10 mx.example.net'], id: '82' } },
    ]);
    // Bundled programs get new ids, because other rows refer to the imported ones by id.
    expect((await rowsOf(DeployProgram)).sort((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, name: 'WordPress', price: 990, requiredQuotaMb: [100, 50], buyers: ['alice01'], steps: [{ a: 1 }] },
      { name: '单页网站' },
      { name: '留言板' },
    ]);

    const [site] = await rowsOf(SiteConfig);
    expect(site).toMatchObject({
      name: '老面板',
      notice: '<b>Hallo</b> 公告',
      api: 'shortkey',
      apiOpen: true,
      userPanelOpen: true,
      userCaptcha: false,
      contact: '12345',
      mailHost: 'smtp.example.com',
      mailTls: 'ssl',
      scanEnabled: true,
      scanMaxFileBytes: 1_000,
      windowsRoot: 'D:/wwwroot',
    });
    expect(panel.get(Secrets).open(site!.mailPassword!, MAIL_PASSWORD_PLACE)).toBe('mail secret');

    expect(panel.get(Quiet).active).toBe(true);
    expect(await rowsOf(Restored)).toMatchObject([{ panel: 'import', releasedAt: null }]);
    const page = await (await panel.adminFetch('/admin/restored')).text();
    expect(page).toContain('bffx');
    expect(await panel.admin('bffx')).toMatchObject({ success: true });
    expect((await panel.admin('listzj')).rows).toHaveLength(3);
  });
});
