/** Kinds of servers from plugins. Source: docs/plugin-api.md "Host drivers". */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type CallDeadlines, Faults, PluginCalls } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { DRIVER_CALLS } from '../../src/hosting/driver/plugin-driver/check-record.js';
import {
  callDriver,
  DriverRegistry,
  ExpirySweep,
  HostingAccount,
  HostingNode,
  HostingService,
  type DriverAccount,
  type DriverCapability,
  type DriverResult,
  UsageSweep,
} from '../../src/hosting/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { boxCode, writeBoxPlugin } from '../support/box-plugin.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
  panel.get(RuntimeLimits).drain = 20;
  writeBoxPlugin(panel.dataDir);
  await panel.enable('box');
});
afterAll(() => panel.close());

const english = async (path: string) =>
  (await panel.adminFetch(path, { headers: { 'Accept-Language': 'en', Cookie: `${panel.adminCookie}; lang=en` } })).text();
const addBox = (bh: string, more: Record<string, string> = {}) =>
  panel.admin('addbt', { bh, driver: 'box:box', ip: '192.0.2.7', 'cs[token]': 'box-secret-1', ...more });
const rowOf = (code: string) => panel.get(Database).repository(HostingNode).findOneByOrFail({ code });
const switchBox = (enabled: boolean) => panel.admin('plugin_enable', { slug: 'box', enabled: String(enabled) });
const provision = (user: string, node = 'box1') =>
  panel.get(HostingService).provision({ node, user, password: 'secret-1', expiresOn: null }, 'admin');

/** Returns functions that answer `not_found`. */
const silent = (names: readonly string[]): string => names.map((name) => `${name}: () => ({ outcome: 'not_found' })`).join(', ');

describe('a plugin’s kind of server', () => {
  it('is offered with its fields, which are encrypted, and probed before a server is added', async () => {
    const page = await english('/admin/servers');
    expect(page).toContain('value="box:box"');
    expect(page).toContain('name="cs[token]"');
    expect(await addBox('box1', { 'cs[token]': '' })).toMatchObject({
      success: false,
      fields: { 'cs[token]': expect.any(String) as string },
    });
    expect(await addBox('box1', { 'cs[other]': 'x' })).toMatchObject({ success: false });
    expect(await addBox('box1', { 'cs[token]': 'wrong' })).toMatchObject({
      success: false,
      code: expect.stringContaining('token') as string,
    });
    expect(await addBox('box1')).toMatchObject({ success: true });
    const row = await rowOf('box1');
    expect(row.driverSettings).toMatch(/^sealed:1:/);
    expect(row.driverSettings).not.toContain('box-secret');
    const listed = ((await panel.admin('listbt')).rows as unknown as Record<string, string>[]).find(({ btdh }) => btdh === 'box1')!;
    expect(listed).toMatchObject({
      driver: 'box:box',
      drvzt: 'true',
      zdy: 'true',
      bzx: 'sqlkj,ll,bf_max',
      bzxjd: 'dk,xieyi,btos,key,ftpdz',
    });
    expect(JSON.stringify(listed)).not.toContain('box-secret');
    const own = await english(`/admin/server?id=${row.id}`);
    expect(own).toContain('Box');
    expect(own).toContain('name="cs[token]"');
    expect(own).not.toContain('box-secret');
  });

  it('declares for every field of hosts and servers whether it has an effect', async () => {
    // Capability a field requires; null: the panel itself handles the field on every server.
    const hostFields: Record<string, DriverCapability | null> = {
      ...{
        user: null,
        pass: null,
        datae: null,
        datar: null,
        webkj: null,
        kg: null,
        jk_max: null,
        mailuser: null,
        btdh: null,
        // If the server does not support it, the answer says so.
        php: null,
        row_version: null,
        id: null,
      },
      ...{ sqlkj: 'database', ll: 'traffic', llmax: 'traffic', ymbds: 'domains', bf_max: 'backups' },
    };
    // The second form has another name for the month's traffic; both share a note.
    const noteOf = (field: string): string => (field === 'llmax' ? 'll' : field);
    const nodeFields = ['ip', 'dk', 'xieyi', 'btos', 'key'];
    // The panel itself uses capacity and weight, on every server.
    const shown = ['urlla', 'ftpdz', 'kg', 'id', 'row_version', 'rl', 'qz'];
    const formOf = (page: string, gn: string): string => new RegExp(`<form[^>]*data-ajax="${gn}"[^]*?</form>`).exec(page)![0];
    const namesIn = (form: string): string[] => [...form.matchAll(/ name="([\w-]+)"/g)].map(([, name]) => name!);
    const hosts = await english('/admin/hosts');
    for (const gn of ['addzj', 'zjxgjl'])
      for (const name of namesIn(formOf(hosts, gn))) {
        expect([gn, name, name in hostFields]).toEqual([gn, name, true]);
        if (hostFields[name])
          expect([gn, name, formOf(hosts, gn)]).toEqual([gn, name, expect.stringContaining(`data-unenforced="${noteOf(name)}"`)]);
      }
    const servers = formOf(await english('/admin/servers'), 'xgjl');
    for (const name of namesIn(servers)) {
      expect([name, [...nodeFields, ...shown].includes(name)]).toEqual([name, true]);
      if (nodeFields.includes(name)) expect([name, servers]).toEqual([name, expect.stringContaining(`data-unenforced="${name}"`)]);
    }
    const rows = (await panel.admin('listbt', { limit: '50' })).rows as unknown as Record<string, string>[];
    const limits = [
      ...new Set(
        Object.keys(hostFields)
          .filter((name) => hostFields[name])
          .map(noteOf),
      ),
    ];
    for (const [code, type, uses] of [
      ['local', 'embedded', []],
      ['box1', 'box:box', ['ip']],
    ] as const) {
      const row = rows.find(({ btdh }) => btdh === code)!;
      const able = panel.get(DriverRegistry).find(type)!.capabilities;
      expect([code, row.bzx!.split(',').sort()]).toEqual([code, limits.filter((name) => !able.has(hostFields[name]!)).sort()]);
      expect([code, row.bzxjd!.split(',').sort()]).toEqual([
        code,
        [...nodeFields.filter((name) => !(uses as readonly string[]).includes(name)), 'ftpdz'].sort(),
      ]);
      const { id } = await rowOf(code);
      const page = await english(`/admin/server?id=${id}`);
      for (const [limit, words] of Object.entries({
        sqlkj: 'Database',
        ll: 'traffic',
        ymbds: 'Number of domains',
        bf_max: 'Number of backups',
      }))
        if (row.bzx!.split(',').includes(limit))
          expect([code, limit, page.toLowerCase()]).toEqual([code, limit, expect.stringContaining(words.toLowerCase())]);
    }
  });

  it('keeps a secret if the field is empty, and replaces it otherwise', async () => {
    const { id, driverSettings } = await rowOf('box1');
    expect(await panel.admin('xgjl', { id: String(id), ip: '192.0.2.8', 'cs[token]': '' })).toMatchObject({ success: true });
    expect(await panel.admin('btztjc', { btid: String(id) })).toMatchObject({ success: true });
    expect(await panel.admin('xgjl', { id: String(id), 'cs[token]': 'box-secret-2' })).toMatchObject({ success: true });
    expect((await rowOf('box1')).driverSettings).not.toBe(driverSettings);
    expect(await panel.admin('xgjl', { id: String(id), 'cs[elsewhere]': 'x' })).toMatchObject({ success: false });
  });

  it('handles the whole life of a host, and reports "driver missing" while the plugin is disabled', async () => {
    const hosting = panel.get(HostingService);
    const { id } = await provision('boxed-01');
    await hosting.pause(id, 'admin', 'admin');
    await hosting.unpause(id, 'admin', 'admin');
    await switchBox(false);
    try {
      const servers = await english('/admin/servers');
      expect(servers).toContain('Driver missing');
      expect(await english(`/admin/server?id=${(await rowOf('box1')).id}`)).toContain('is missing');
      for (const path of ['/admin/hosts', `/admin/host?id=${id}`, `/admin/host-domains?id=${id}`, '/admin/recycle-bin'])
        expect([path, (await panel.adminFetch(path)).status]).toEqual([path, 200]);
      for (const [gn, fields] of [
        ['zjzt', { id: String(id) }],
        ['zjsc', { id: String(id) }],
        ['urllb', { id: String(id) }],
        ['btztjc', { btid: String((await rowOf('box1')).id) }],
      ] as const) {
        const answer = await panel.admin(gn, fields);
        expect([gn, answer.err ?? 'none']).not.toEqual([gn, 'E_INTERNAL']);
      }
      expect(await panel.admin('zjzt', { id: String(id) })).toMatchObject({ success: false, err: 'E_NODE' });
      await expect(provision('boxed-02')).rejects.toMatchObject({ code: 'DRIVER_MISSING' });
      const accounts = panel.get(Database).repository(HostingAccount);
      await accounts.update({ id }, { expiresOn: '2020-01-01', usageDueAt: new Date(0) });
      await panel.get(ExpirySweep).run();
      await panel.get(UsageSweep).run();
      expect((await hosting.get(id))!.pauseReasons).toEqual([]);
    } finally {
      await switchBox(true);
    }
    await panel.get(ExpirySweep).run();
    expect((await hosting.get(id))!.pauseReasons).toEqual(['expiry']);
    await hosting.renew(id, null, 'admin');
    expect((await hosting.get(id))!.pauseReasons).toEqual([]);
    await hosting.terminate(id, 'admin');
    expect(await hosting.get(id)).toBeNull();
  });

  it('needs the permission, which is shown before the plugin is installed', async () => {
    const record = boxCode().replaceAll('box', 'bux');
    writePlugin(panel.dataDir, 'bux', { files: { 'index.js': record } });
    await panel.admin('plugin_install', { slug: 'bux' });
    const answer = await panel.admin('plugin_enable', { slug: 'bux', enabled: 'true' });
    expect(answer).toMatchObject({ success: false, code: expect.stringContaining('host_driver') as string });
    writePlugin(panel.dataDir, 'asks', { manifest: { permissions: ['host_driver'] }, files: { 'index.js': functionPlugin('') } });
    const page = await english('/admin/plugins');
    expect(page).toContain('This plugin manages servers and sees their keys');
  });

  it('belongs to one plugin and is registered once', async () => {
    const twice = functionPlugin(`
      const record = { title: 'x',
        ${'probe create suspend unsuspend start stop renew changeQuota changePassword terminate sync list'
          .split(' ')
          .map((name) => `${name}: () => ({ outcome: 'not_found' })`)
          .join(', ')} };
      const first = svc.svc_register_host_driver('one', record);
      first();
      svc.svc_register_host_driver('one', record);
      const said = [];
      for (const [kind, given] of [['one', record], ['A b', record], ['two', { title: 'x' }], ['two', { ...record, domains: {} }],
        ['two', { ...record, can: ['fly'] }], ['two', { ...record, can: ['ssl'] }], ['two', { ...record, backups: {
        make: record.sync } }], ['two', { ...record, domains: { apply: record.sync, matches: true } }], ['two', null]]) {
        try { svc.svc_register_host_driver(kind, given); said.push('taken'); } catch (error) { said.push(error.message); }
      }
      svc.svc_register_route('GET', '/said', () => said);`);
    writePlugin(panel.dataDir, 'twice', { manifest: { permissions: ['host_driver', 'routes'] }, files: { 'index.js': twice } });
    await panel.enable('twice');
    expect(await (await panel.fetch('/said')).json()).toEqual([
      expect.stringContaining('already registered by twice'),
      expect.stringContaining('the kind of a host driver must be'),
      expect.stringContaining('probe must be a function'),
      expect.stringContaining('domains.apply must be a function'),
      expect.stringContaining('can must be a list of'),
      expect.stringContaining('needs the port certificates'),
      expect.stringContaining('backups.restore must be a function'),
      expect.stringContaining('domains.matches must be a function'),
      expect.stringContaining('must be an object with title'),
    ]);
    expect(panel.get(DriverRegistry).types()).toContain('twice:one');
    expect(panel.get(DriverRegistry).find('embedded')!.type).toBe('embedded');
  });
});

describe('a driver that returns anything', () => {
  const account: DriverAccount = {
    node: { code: 'x', address: '', port: 0, secure: false, panelKey: 'panel-key-1', settings: { token: 'token-1' } },
    username: 'alice01',
    siteName: 'svc.1',
    siteId: '',
    ownerMark: 'host:1',
  };
  const answers: Record<string, string> = {
    nothing: '() => undefined',
    text: "() => 'ok'",
    number: '() => 7',
    forged: "() => ({ outcome: 'superb', value: {} })",
    valueless: "() => ({ outcome: 'ok' })",
    strings: "() => ({ outcome: 'ok', value: { running: 'yes', suspended: 0, webUsedBytes: '1', databaseUsedBytes: 0 } })",
    negative: "() => ({ outcome: 'ok', value: { running: true, suspended: false, webUsedBytes: -1, databaseUsedBytes: 0 } })",
    throws: "() => { throw new Error('key panel-key-1 and token-1') }",
    rejects: 'async () => { throw null }',
    hangs: '() => new Promise(() => undefined)',
    thenable: '() => ({ then() {} })',
    getter: "() => ({ get outcome() { throw new Error('no') } })",
    proxy: "() => new Proxy({}, { get() { throw new Error('no') } })",
  };

  it('counts as `unknown`, is reported in the plugin list, and leaks no secret', async () => {
    const record = `{ title: 'x', fields: [{ key: 'token', label: 'Token', type: 'password' }], ${[
      'probe',
      'suspend',
      'unsuspend',
      'start',
      'stop',
      'renew',
      'changeQuota',
      'changePassword',
      'terminate',
    ]
      .map((name) => `${name}: () => ({ outcome: 'ok' })`)
      .join(', ')}, create: () => ({ outcome: 'ok', value: { siteId: 'x'.repeat(10_000_000) } }),
      list: () => ({ outcome: 'ok', value: { sites: Array.from({ length: 100_000 }, () => ({})), next: null } }) `;
    const code = Object.entries(answers)
      .map(([kind, answer]) => `svc.svc_register_host_driver('${kind}', ${record}, sync: ${answer} });`)
      .join('\n');
    writePlugin(panel.dataDir, 'wild', { manifest: { permissions: ['host_driver'] }, files: { 'index.js': functionPlugin(code) } });
    const deadlines = panel.get(PluginCalls).deadlines as CallDeadlines;
    const { driver: before } = deadlines;
    deadlines.driver = 200;
    try {
      await panel.enable('wild');
      for (const kind of Object.keys(answers)) {
        const driver = panel.get(DriverRegistry).find(`wild:${kind}`)!;
        const answer = await callDriver((deadline) => driver.sync(account, deadline));
        expect([kind, answer.outcome]).toEqual([kind, 'unknown']);
        expect(JSON.stringify(answer)).not.toMatch(/panel-key-1|token-1/);
      }
      const driver = panel.get(DriverRegistry).find('wild:nothing')!;
      const site = { ...account, password: 'secret-1', quota: { webMb: 0, databaseMb: 0, trafficGb: 0, domains: 0 }, expiresOn: null };
      expect(await callDriver((deadline) => driver.create(site, deadline))).toMatchObject({ outcome: 'unknown' });
      expect(await callDriver((deadline) => driver.list(account.node, null, deadline))).toMatchObject({ outcome: 'unknown' });
      expect(await callDriver((deadline) => driver.suspend(account, 'x', deadline))).toEqual({ outcome: 'ok', value: undefined });
      const calls = panel.get(PluginCalls).statistics('wild');
      expect(calls.find(({ place }) => place === 'host driver hangs: sync')).toMatchObject({ calls: 1, timeouts: 1 });
      const fault = panel.get(Faults).last('wild');
      expect(fault?.count).toBeGreaterThan(0);
      expect(JSON.stringify(fault)).not.toMatch(/panel-key-1|token-1/);
    } finally {
      deadlines.driver = before;
      await panel.admin('plugin_enable', { slug: 'wild', enabled: 'false' });
    }
    expect(panel.get(DriverRegistry).types()).not.toContain('wild:nothing');
  });

  it('is validated in every result about certificates, logs and backups, and leaks no private key', async () => {
    const life = silent(DRIVER_CALLS);
    const made = { size: 1, sha256: 'a'.repeat(64), content: 1, files: 1, left: 0, changed: 0, changedPaths: [] };
    const day = { day: '2027-01-31', bytes: 1, isPacked: false, isCut: false };
    const code = `
      let next;
      globalThis.svcOddAnswer = (answer) => (next = answer);
      const port = (...names) => Object.fromEntries(names.map((name) => [name, (...given) => next(...given)]));
      svc.svc_register_host_driver('odd', { title: 'x', ${life},
        certificates: port('apply', 'prove', 'matches'),
        statistics: port('grown', 'read', 'last', 'days', 'open'),
        backups: port('make', 'restore', 'open', 'remove', 'check') });`;
    writePlugin(panel.dataDir, 'odd', { manifest: { permissions: ['host_driver'] }, files: { 'index.js': functionPlugin(code) } });
    await panel.enable('odd');
    const { certificates, statistics, backups } = panel.get(DriverRegistry).find('odd:odd')!;
    const answers = (answer: unknown): void => (globalThis as unknown as { svcOddAnswer: (next: unknown) => void }).svcOddAnswer(answer);
    const turn = { id: 'odd', signal: AbortSignal.timeout(20_000), progress: () => undefined };
    const space = { take: () => Promise.resolve(true), giveBack: () => Promise.resolve(), fits: () => Promise.resolve(true) };
    const certificate = {
      names: ['a.example'],
      chain: 'CHAIN',
      key: `-----BEGIN PRIVATE KEY-----\n${'planted'.repeat(9)}\n-----END PRIVATE KEY-----\n`,
      forceHttps: false,
    };
    const place = { name: 'a.tar.gz', url: 'https://s3.example/a?planted' };
    const calls: [name: string, right: unknown, wrong: unknown[], run: () => Promise<DriverResult<unknown>>][] = [
      ['certificates.matches', true, ['yes', 1, null], () => callDriver((until) => certificates!.matches!(account, certificate, until))],
      [
        'statistics.grown',
        ['svc.1'],
        ['svc.1', [1], new Array(100_001).fill('a')],
        () => callDriver((until) => statistics!.grown(account.node, null, until)),
      ],
      [
        'statistics.read',
        { text: 'a\n', next: '1' },
        [
          { text: 'x'.repeat(1024 * 1024 + 1), next: '1' },
          { text: '', next: 'x'.repeat(65) },
          { text: 1, next: '' },
        ],
        () => callDriver((until) => statistics!.read(account, '', until)),
      ],
      ['statistics.last', ['a'], [['a', 'b'], [1], 'a'], () => callDriver((until) => statistics!.last(account, 1, until))],
      [
        'statistics.days',
        [day],
        [[{ ...day, day: '../../etc' }], [{ ...day, bytes: -1 }], [{ ...day, isPacked: 'no' }]],
        () => callDriver((until) => statistics!.days(account, until)),
      ],
      [
        'statistics.open',
        undefined,
        [
          { log: day, content: 'text' },
          { log: {}, content: null },
        ],
        () => callDriver((until) => statistics!.open(account, '2027-01-31', until)),
      ],
      [
        'backups.make',
        made,
        [{ ...made, sha256: 'A'.repeat(64) }, { ...made, size: 0.5 }, { ...made, changedPaths: new Array(101).fill('/a') }, 'ok'],
        () => callDriver(() => backups!.make(account, place, turn)),
      ],
      [
        'backups.open',
        undefined,
        [{ size: 1, content: Buffer.from('x') }, { size: 1, from: -1, content: process.stdin }, {}],
        () => callDriver((until) => backups!.open(account, 'a', until, 7)),
      ],
      ['backups.check', { free: 1 }, [{ free: -1 }, { free: '1' }, null], () => callDriver((until) => backups!.check(account.node, until))],
    ];
    for (const [name, right, wrong, run] of calls) {
      answers(() => ({ outcome: 'ok', value: right }));
      if (right !== undefined) expect([name, await run()]).toEqual([name, { outcome: 'ok', value: right }]);
      for (const value of wrong) {
        answers(() => ({ outcome: 'ok', value }));
        expect([name, (await run()).outcome]).toEqual([name, 'unknown']);
      }
    }
    // Uploads in parts, for callers with valid arguments.
    const begun: unknown[] = [];
    const begin = (archive: object) => {
      begun.push(archive);
      return Promise.resolve([{ from: 0, size: 9, url: 'https://s3.example/part?planted-9' }]);
    };
    const inParts = { ...place, parts: { above: 8, begin } };
    const asks =
      (archive: object) =>
      async (_account: unknown, to: { parts: { begin: (given: object) => Promise<{ url: string }[]> } }): Promise<never> => {
        throw new Error((await to.parts.begin(archive))[0]!.url);
      };
    for (const wrong of [{ size: 9, sha256: '../etc' }, { size: -1, sha256: 'a'.repeat(64) }, {}]) {
      answers(asks(wrong));
      expect(await callDriver(() => backups!.make(account, inParts, turn))).toMatchObject({ outcome: 'unknown' });
    }
    answers(asks({ size: 9, sha256: 'a'.repeat(64), more: 1 }));
    const said = await callDriver(() => backups!.make(account, inParts, turn));
    expect([JSON.stringify(said).includes('planted-9'), begun]).toEqual([false, [{ size: 9, sha256: 'a'.repeat(64) }]]);
    const told = (given: unknown): never => {
      throw new Error(JSON.stringify(given) + (given as { key?: string; url?: string }).key + (given as { url?: string }).url);
    };
    answers((_account: unknown, given: unknown) => told(given));
    const heard = [
      await callDriver((until) => certificates!.apply(account, certificate, until)),
      await callDriver(() => backups!.make(account, place, turn)),
      await callDriver(() => backups!.restore(account, { ...place, ...made }, space, turn)),
    ];
    answers((_account: unknown, given: { key: string }) => ({ outcome: 'refused', message: given.key }));
    heard.push(await callDriver((until) => certificates!.apply(account, certificate, until)));
    expect(heard.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown', 'refused']);
    expect(JSON.stringify([heard, panel.get(Faults).last('odd')])).not.toMatch(/s3\.example\/a\?planted|planted{3}|plantedplanted/);
  });

  it('is not waited for once its plugin is disabled', async () => {
    const record = `{ title: 'x', ${silent(DRIVER_CALLS.filter((name) => name !== 'sync'))}, sync: () => new Promise(() => undefined) }`;
    writePlugin(panel.dataDir, 'mute', {
      manifest: { permissions: ['host_driver'] },
      files: { 'index.js': functionPlugin(`svc.svc_register_host_driver('mute', ${record});`) },
    });
    await panel.enable('mute');
    const driver = panel.get(DriverRegistry).find('mute:mute')!;
    const asked = callDriver((deadline) => driver.sync(account, deadline));
    await panel.admin('plugin_enable', { slug: 'mute', enabled: 'false' });
    expect(await asked).toMatchObject({ outcome: 'unknown' });
    expect(await callDriver((deadline) => driver.sync(account, deadline))).toMatchObject({ outcome: 'unreachable' });
  });
});
