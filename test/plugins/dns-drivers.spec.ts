/** Kinds of DNS providers from plugins. Source: docs/plugin-api.md "DNS providers". */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CallDeadlines, PACKAGE_ROOT } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { DnsEntry, DnsKinds } from '../../src/dns/index.js';
import { HostingNode } from '../../src/hosting/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { serveHttp, type LoopbackServer } from '../support/loopback-server.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel, type AjaxAnswer } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { runJob } from '../support/run-job.js';

const PERMITTED = { permissions: ['dns', 'network'] };
type Kept = { id: string; type: string; name: string; value: string; note: string };

let panel: TestPanel;
let server: LoopbackServer;
let base: string;
const kept: Kept[] = [];
const asked: string[] = [];

/** Returns the example of the documentation, verbatim. */
function example(): string {
  const docs = readFileSync(join(PACKAGE_ROOT, 'docs/plugin-api.md'), 'utf8');
  return /```js\n([^]*?)```/.exec(docs.slice(docs.indexOf('## DNS providers')))![1]!;
}

beforeAll(async () => {
  server = await serveHttp((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const { pathname, searchParams } = new URL(req.url!, 'http://x');
      asked.push(`${req.method} ${pathname}`);
      const send = (status: number, body: unknown) =>
        res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      if (req.headers.authorization !== 'Bearer zone-token-hidden-1')
        return send(401, { error: `no such token: ${req.headers.authorization}` });
      if (pathname === '/zones') return send(200, [{ id: 7, name: 'example.com' }]);
      const body = JSON.parse(Buffer.concat(parts).toString() || '{}') as Partial<Kept> & { remove?: boolean };
      if (req.method === 'GET')
        return send(
          200,
          kept.filter(({ name }) => name === searchParams.get('name')),
        );
      const at = kept.findIndex(({ id }) => id === body.id);
      if (body.remove) kept.splice(at, at < 0 ? 0 : 1);
      else kept.splice(at < 0 ? kept.length : at, at < 0 ? 0 : 1, { ...(body as Kept), id: body.id ?? String(asked.length) });
      return send(200, { id: body.id ?? String(asked.length) });
    });
  });
  base = `http://127.0.0.1:${server.port}`;
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  panel.get(RuntimeLimits).drain = 20;
  const lang = (title: string) => JSON.stringify({ title, server: 'Server', token: 'Token' });
  writePlugin(panel.dataDir, 'zonehost', {
    manifest: PERMITTED,
    files: { 'index.js': example(), 'lang/en.json': lang('Zone host'), 'lang/zh-CN.json': lang('区域主机') },
  });
  await panel.enable('zonehost');
});
afterAll(async () => {
  await panel.close();
  await server.close();
});

const saved = async (slug: string, cs: Record<string, string> = {}) =>
  (await panel.admin('p_dns_provider_save', {
    slug,
    name: slug,
    ...Object.fromEntries(Object.entries(cs).map(([key, value]) => [`cs[${key}]`, value])),
  })) as AjaxAnswer & { id: number };
const test = (id: number) => panel.admin('p_dns_provider_test', { id: String(id) });

describe('the example in the documentation', () => {
  it('creates records, and reports errors readably without its secret', async () => {
    await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget: '192.0.2.10' });
    await panel.admin('addzj', { user: 'ann001', pass: 'secret-pass-1', btdh: 'local', ll: '10', yhds: '0' });
    const ann = await new PanelClient(panel.url).login('user', 'ann001', 'secret-pass-1');
    const { id } = await saved('zonehost:zonehost', { server: base, token: 'zone-token-hidden-1' });
    expect(await test(id)).toMatchObject({ success: true, zones: ['example.com'] });
    const fields = { url: 'names.example.com', bt: 'local', channel: 'dnsapi', provider_id: String(id) };
    const zone = (await panel.admin('addym', fields)) as AjaxAnswer & { id: number };
    const got = (await ann.ajax('user', { gn: 'ymbd', id: String(zone.id), qz: 'shop' })).json;
    const run = () => runJob(panel.get(JobRegistry), 'dns-records');
    await run();
    expect(kept).toMatchObject([
      { type: 'A', name: 'shop.names.example.com', value: '192.0.2.10', note: expect.stringMatching(/^svc-panel /) as string },
    ]);
    await panel.get(Database).repository(HostingNode).update({ code: 'local' }, { dnsTarget: '192.0.2.11' });
    await run();
    expect(kept).toMatchObject([{ value: '192.0.2.11' }]);

    // While the plugin is disabled, all changes wait, and the pages say why.
    await panel.disable('zonehost');
    await ann.ajax('user', { gn: 'ymjb', id: String(got.id) });
    await run();
    expect(kept).toHaveLength(1);
    const off = (await panel.admin('p_dns_provider_list')).rows as unknown as { problem: string }[];
    expect(off[0]!.problem).toContain('zonehost');
    expect(await (await panel.adminFetch(`/admin/dns-provider?id=${id}`)).text()).toContain('zonehost');
    await panel.tryEnable('zonehost');
    const [waiting] = await panel.get(Database).repository(DnsEntry).find();
    expect(await panel.admin('p_dns_record_retry', { id: String(waiting!.id) })).toMatchObject({ success: true });
    await run();
    expect(kept).toEqual([]);

    const wrong = await saved('zonehost:zonehost', { server: base, token: 'other-token-hidden-2' });
    const answer = await test(wrong.id);
    expect(answer).toMatchObject({ success: false });
    expect(answer.code).toContain('no such token');
    expect(JSON.stringify(answer)).not.toContain('hidden-2');
  });
});

describe('a plugin', () => {
  const record = (parts: string): string =>
    `{ title: 'X', fields: [], zones: () => [], records: () => [], put: () => '1', remove: () => {}, ${parts} }`;

  it('is refused without the permission, and the refused registration is named', async () => {
    const code = functionPlugin(`svc.svc_register_dns_driver('x', ${record('')});`);
    writePlugin(panel.dataDir, 'asks', { files: { 'index.js': code } });
    await panel.admin('plugin_install', { slug: 'asks' });
    expect(await panel.tryEnable('asks')).toMatchObject({ success: false, code: expect.stringContaining('dns') as string });
    const tries: [string, RegExp][] = [
      [`svc.svc_register_dns_driver('x', ${record('')}); svc.svc_register_dns_driver('x', ${record('')});`, /already registered/],
      [`svc.svc_register_dns_driver('x:y', ${record('')});`, /kind/],
      ["svc.svc_register_dns_driver('x');", /record/],
      [`svc.svc_register_dns_driver('x', ${record("title: ''")});`, /title/],
      [`svc.svc_register_dns_driver('x', ${record('put: 1')});`, /put/],
      [`svc.svc_register_dns_driver('x', ${record('fields: 1')});`, /fields/],
      [`svc.svc_register_dns_driver('x', ${record("fields: [{ key: 'a b', label: 'A', type: 'text' }]")});`, /key/],
    ];
    for (const [at, [body, problem]] of tries.entries()) {
      const slug = `broken${at}`;
      writePlugin(panel.dataDir, slug, { manifest: PERMITTED, files: { 'index.js': functionPlugin(body) } });
      await panel.admin('plugin_install', { slug });
      await panel.tryEnable(slug);
      expect([body, (await panel.row(slug))?.error]).toEqual([body, expect.stringMatching(problem)]);
      expect(panel.get(DnsKinds).find(`${slug}:x`)).toBeUndefined();
    }
  });

  it.each([
    ['answers with nothing', 'zones: () => undefined'],
    ['answers with a text', "zones: () => 'none'"],
    ['answers with zones without names', 'zones: () => [{}]'],
    ['answers with what cannot be read', "zones: () => [{ id: '1', get name() { throw new Error('no'); } }]"],
    ['throws', "zones: () => { throw new Error('no luck'); }"],
    ['throws what is no error', "zones: () => { throw { toString() { throw new Error('no'); } }; }"],
    ['never answers', 'zones: () => new Promise(() => {})'],
  ])('that %s is reported readably, and the panel continues', async (what, parts) => {
    const slug = `wild-${what.replace(/\W+/g, '-').slice(0, 24)}`;
    const { channel } = panel.get(CallDeadlines);
    panel.get(CallDeadlines).channel = 200;
    try {
      writePlugin(panel.dataDir, slug, {
        manifest: PERMITTED,
        files: { 'index.js': functionPlugin(`svc.svc_register_dns_driver('x', ${record(parts)});`) },
      });
      await panel.enable(slug);
      const { id } = await saved(`${slug}:x`);
      const answer = await test(id);
      expect(answer).toMatchObject({ success: false, err: 'E_UNREACH' });
      expect(answer.code.length).toBeGreaterThan(3);
    } finally {
      panel.get(CallDeadlines).channel = channel;
    }
  });
});
