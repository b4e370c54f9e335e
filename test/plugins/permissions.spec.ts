/** What `permissions` of a manifest allow and deny. Source: docs/plugin-api.md "Permissions". */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
let outside: Server;
let address: string;
beforeAll(async () => {
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.0/8' });
  outside = createServer((req, res) => {
    if (req.url === '/away') res.writeHead(302, { Location: `http://localhost:${(outside.address() as AddressInfo).port}/` });
    res.end('outside');
  }).listen(0, '127.0.0.1');
  await once(outside, 'listening');
  address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
});
afterAll(async () => {
  outside.close();
  await panel.close();
});

/** Code that requires each permission. */
const USES: Record<string, string> = {
  hosts: 'await svc.hosts.find()',
  'hosts again': 'await svc.hosts.domains(1).catch((error) => { if (error.code === "PERMISSION_MISSING") throw error; })',
  orders: 'await svc.orders.find()',
  settings: 'await svc.svc_save_payment_methods([])',
  network: `await svc.svc_http_get('http://127.0.0.1:1/')`,
  'network again': `await svc.http({ url: 'http://127.0.0.1:1/' })`,
  'network too': `await svc.svc_http_post('http://127.0.0.1:1/', 'a=b')`,
  'network by fetch': `await fetch('http://127.0.0.1:1/').catch((error) => { if (error.code === "PERMISSION_MISSING") throw error; })`,
  'network by globalThis': `await globalThis.fetch('x:').catch((error) => { if (error.code === "PERMISSION_MISSING") throw error; })`,
  // Available from Node 22 on.
  ...('WebSocket' in globalThis && {
    'network by WebSocket': `try { new WebSocket('x') } catch (error) { if (error.code === "PERMISSION_MISSING") throw error; }`,
  }),
  'network by https': `require('node:https')`,
  'network by net': `require('net').connect.name`,
  tables: `await svc.db.migrate([])`,
  'tables again': `await svc.db.query('SELECT 1')`,
  'tables too': `await svc.db.run('DELETE FROM SVC_plugin_option WHERE 1 = 0')`,
  routes: `svc.svc_register_route('GET', '/elsewhere', () => 'x')()`,
  'routes home': `svc.svc_register_home(() => null)()`,
  fs: `require('fs/promises')`,
  'fs again': `require('node:fs')`,
  child_process: `require('child_process')`,
  'child_process by threads': `require('worker_threads')`,
  'child_process by module': `require('module')`,
};

async function answers(slug: string, manifest: Record<string, unknown>): Promise<Record<string, string>> {
  const calls = Object.entries(USES).map(([name, code]) => `${JSON.stringify(name)}: async () => { ${code}; }`);
  const body = `const calls = { ${calls.join(',\n')} };
    svc.svc_register_ajax('user', 'p_${slug}', async () => {
      const said = {};
      for (const [name, call] of Object.entries(calls))
        said[name] = await call().then(() => 'done', ({ code, message }) => code ?? message);
      return said;
    });`;
  writePlugin(panel.dataDir, slug, { manifest, files: { 'index.js': functionPlugin(body) } });
  await panel.enable(slug);
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: `p_${slug}` }) });
  return (await response.json()) as Record<string, string>;
}

const kindOf = (name: string): string => name.split(' ')[0]!;

describe('a plugin that declares', () => {
  it('no permissions is refused everything, by name', async () => {
    const said = await answers('asks_nothing', { permissions: [] });
    expect(said).toEqual({
      ...Object.fromEntries(Object.keys(USES).map((name) => [name, 'PERMISSION_MISSING'])),
      'network by net': expect.stringMatching(/undefined/),
    });
    await panel.admin('plugin_enable', { slug: 'asks_nothing', enabled: 'false' });
  });

  it.each(['hosts', 'orders', 'settings', 'network', 'tables', 'routes', 'fs', 'child_process'])('%s has only that', async (permission) => {
    const said = await answers(`asks_${permission}`, { permissions: [permission] });
    for (const [name, answer] of Object.entries(said)) {
      const isAllowed = kindOf(name) === permission && name !== 'tables too';
      const expected = isAllowed ? 'done' : name === 'network by net' ? expect.stringMatching(/undefined/) : 'PERMISSION_MISSING';
      expect([name, answer]).toEqual([name, expected]);
    }
    await panel.admin('plugin_enable', { slug: `asks_${permission}`, enabled: 'false' });
  });

  it('no list has everything except what must always be declared', async () => {
    const said = await answers('says_nothing', {});
    expect(new Set(Object.values(said))).toEqual(new Set(['done']));
    const row = (await panel.row('says_nothing')) as unknown as { permissions: string; powers: string };
    expect(row.permissions).toContain('未说明需要哪些权限');
    expect(row.powers).toBe(row.permissions);
    const { warnings } = (await panel.row('says_nothing')) as unknown as { warnings: string[] };
    expect(warnings.filter((words) => words.includes('未说明'))).toHaveLength(7);
    expect(warnings).toContainEqual(expect.stringMatching(/“worker_threads”.*运行程序/));
  });

  it('one address may call only that one, also after a redirect', async () => {
    const body = `svc.svc_register_ajax('user', 'p_one', async ({ body: { url } }) => {
      try { const { ok, body, error } = await svc.svc_http_get(url); return { ok, body, error }; }
      catch ({ code, message }) { return { code, message }; }
    });`;
    writePlugin(panel.dataDir, 'one', {
      manifest: { permissions: ['network:127.0.0.1', 'network:*.example.com'] },
      files: { 'index.js': functionPlugin(body) },
    });
    await panel.enable('one');
    const ask = async (url: string): Promise<Record<string, unknown>> => {
      const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'p_one', url }) });
      return (await response.json()) as Record<string, unknown>;
    };
    expect(await ask(`${address}/`)).toEqual({ ok: true, body: 'outside', error: '' });
    expect(await ask(`${address}/away`)).toMatchObject({ ok: false, error: '请求失败' });
    expect(await ask(address.replace('127.0.0.1', 'localhost'))).toEqual({
      code: 'PERMISSION_MISSING',
      message: 'svc_http_get(localhost) requires the permission "network:localhost": add it to "permissions" in plugin.json.',
    });
    expect((await ask('https://example.com/')).code).toBe('PERMISSION_MISSING');
    expect((await ask('https://evil-example.com/')).code).toBe('PERMISSION_MISSING');
    expect(await ask('https://a.example.com/')).toMatchObject({ ok: false });
    expect(await ask('no address')).toMatchObject({ ok: false, error: 'URL 无效' });
    const { permissions } = (await panel.row('one')) as unknown as { permissions: string };
    expect(permissions).toBe('连接 127.0.0.1；连接 *.example.com');
  });
});

describe('tables of others', () => {
  const ask = async (slug: string, sql: string): Promise<string> => {
    const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: `p_${slug}`, sql }) });
    return ((await response.json()) as { said: string }).said;
  };
  const CODE = (slug: string): string =>
    functionPlugin(`const own = { name: 'own', columns: [{ name: 'words', type: 'string' }] };
      await svc.db.migrate([{ id: '1', up: (schema) => schema.createTable(own) }]);
      svc.svc_register_ajax('user', 'p_${slug}', async ({ body: { sql } }) => ({
        said: await svc.db.query(sql).then(() => 'done', ({ code, params }) => code ?? 'other') }));`);

  it('can be read only with raw_sql', async () => {
    writePlugin(panel.dataDir, 'own-only', { manifest: { permissions: ['tables'] }, files: { 'index.js': CODE('own_only') } });
    writePlugin(panel.dataDir, 'all', { manifest: { permissions: ['raw_sql'] }, files: { 'index.js': CODE('all') } });
    await panel.enable('own-only');
    await panel.enable('all');
    for (const sql of ['SELECT * FROM {own}', "SELECT words FROM {own} WHERE words = 'mysql' ORDER BY id"]) {
      expect(await ask('own_only', sql)).toBe('done');
      expect(await ask('all', sql)).toBe('done');
    }
    const others = [
      'SELECT * FROM SVC_plugin_option',
      'SELECT * FROM `svc_plugin_option`',
      'SELECT o.* FROM {own} o, SVC_plugin_option',
      'SELECT * FROM SVC_plg_all_own',
    ];
    for (const sql of [
      ...others,
      "SELECT * FROM 'SVC_plugin_option'",
      'SELECT * FROM sqlite_master',
      'SELECT * FROM information_schema.tables',
      'PRAGMA table_list',
    ])
      expect([sql, await ask('own_only', sql)]).toEqual([sql, 'PERMISSION_MISSING']);
    expect(await ask('all', others[0]!)).toBe('done');
  });

  it('cannot be reached through a repository’s data source either', async () => {
    const code = `const { Module, Injectable } = require('@nestjs/common'); const { DataSource } = require('typeorm');
      const { SVC_FACADE } = require('@svc/sdk');
      class Part { constructor(svc, source) { this.svc = svc; this.source = source; }
        onModuleInit() { this.svc.svc_register_ajax('user', 'p_nested', async ({ body: { sql } }) => ({
          said: await Promise.resolve().then(() => this.source.query(sql)).then(() => 'done', ({ code }) => code ?? 'other') })); } }
      Reflect.defineMetadata('self:paramtypes', [{ index: 0, param: SVC_FACADE }, { index: 1, param: DataSource }], Part);
      Injectable()(Part);
      class Root {} Module({ providers: [Part] })(Root); module.exports = Root;`;
    writePlugin(panel.dataDir, 'nested', { manifest: { permissions: ['tables'] }, files: { 'index.js': code } });
    await panel.enable('nested');
    expect(await ask('nested', 'SELECT 1')).toBe('done');
    expect(await ask('nested', 'SELECT * FROM SVC_plugin_option')).toBe('PERMISSION_MISSING');
  });
});

it('an unknown permission is reported in the list, with a suggestion', async () => {
  writePlugin(panel.dataDir, 'unsure', { manifest: { permissions: ['host', 'reads minds'] }, files: { 'index.js': functionPlugin('') } });
  await panel.enable('unsure');
  const { warnings } = (await panel.row('unsure')) as unknown as { warnings: string[] };
  expect(warnings).toEqual([expect.stringMatching(/“host”.*“hosts”/), expect.stringContaining('reads minds')]);
});
