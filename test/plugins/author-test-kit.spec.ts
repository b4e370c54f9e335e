import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestPanel } from '../../src/cli/test-kit/in-process-panel.js';
import { PACKAGE_ROOT } from '../../src/common/index.js';
import type { TestAnswer, TestPanel } from '../../src/sdk/testing.js';
import { testServer } from '../support/database.js';

const place = mkdtempSync(join(tmpdir(), 'svc-kit-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Writes a plugin in plain CommonJS. */
function plugin(slug: string, body: string): string {
  const folder = join(place, slug);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({ id: slug, name: slug, version: '1.0.0' }));
  writeFileSync(join(folder, 'index.js'), `module.exports = async (svc) => {\n${body}\n};\n`);
  return folder;
}

describe('the test kit of @svc/sdk', () => {
  let panel: TestPanel;
  beforeAll(async () => (panel = await startTestPanel(testServer ? { database: testServer } : {})));
  afterAll(async () => {
    await panel.close();
    expect(existsSync(panel.dataDir)).toBe(false);
  });

  it('installs a plugin, signs in, and creates hosts and orders in one line each', async () => {
    const folder = plugin(
      'kit_all',
      `const paid = [];
       svc.svc_add_action('order.paid', (order) => void paid.push(order.ddh), 10, { id: 'paid' });
       svc.svc_register_route('GET', '/kit_all/paid', () => paid);
       svc.svc_register_route('GET', '/kit_all/me', (_params, ctx) => ctx.user.username, 10, 'user');`,
    );
    expect(await panel.installPlugin(folder)).toBe('kit_all');
    const [nobody, admin, host] = [await panel.as('nobody'), await panel.as('admin'), await panel.host()];
    expect(await admin.run('plugin_list')).toMatchObject({ total: expect.any(Number) as number });
    expect(await (await (await panel.as(host)).get('/kit_all/me')).text()).toBe(host.user);
    expect((await nobody.get('/kit_all/me')).status).not.toBe(500);
    const order = await panel.order({ user: host.user });
    await panel.pay(order);
    await expect.poll(async () => (await nobody.get('/kit_all/paid')).json()).toEqual([order.ddh]);
  });

  it('sets the clock and runs what is due', async () => {
    const body = "let n = 0; svc.svc_add_action('cron', () => void (n += 1)); svc.svc_register_route('GET', '/kit_cron', () => ({ n }));";
    await panel.installPlugin(plugin('kit_cron', body));
    const nobody = await panel.as('nobody');
    const count = async (): Promise<unknown> => (await nobody.get('/kit_cron')).json();
    expect(await count()).toEqual({ n: 0 });
    panel.clock.set(new Date(Date.now() + 86_400_000));
    await panel.clock.minute();
    expect(await count()).toEqual({ n: 1 });
    panel.clock.advance(60_000);
    await panel.clock.minute();
    expect(await count()).toEqual({ n: 2 });
  });

  it('says why a plugin does not start or is invalid', async () => {
    await expect(panel.installPlugin(plugin('kit_bad', "throw new Error('not today');"))).rejects.toThrow('not today');
    await expect(panel.installPlugin(place)).rejects.toThrow('There is no plugin.json');
  });

  it('detects what a plugin leaves behind, without false positives', async () => {
    await panel.installPlugin(
      plugin('kit_clean', "svc.setInterval(() => undefined, 1000); svc.svc_register_route('GET', '/clean', () => 'x');"),
    );
    await panel.expectNoTrace('kit_clean', 20);
    const leaky = [
      "await svc.db.migrate([{ id: '1', up: (schema) => schema.createTable({ name: 'start', columns: [{ name: 'a', " +
        "type: 'string' }] }) }]);",
      "await svc.db.run('INSERT INTO {start} (a) VALUES (?)', ['x']);",
      "require('node:fs').writeFileSync(`${__dirname}/left-${Date.now()}-${Math.random()}.txt`, 'x');",
    ];
    await panel.installPlugin(plugin('kit_leaky', leaky.join('\n')));
    const said = await panel.expectNoTrace('kit_leaky', 5).then(String, String);
    expect(said).toMatch(/rows of SVC_plg_kit_leaky_start: \d+ before, \d+ after/);
  }, 120_000);

  it('detects nothing in resource_pool, with pools, hosts and sign-ins', async () => {
    const admin = await panel.as('admin');
    const run = async (gn: string, fields: Record<string, string>): Promise<TestAnswer> => {
      const answer = await admin.run(gn, fields);
      expect(answer, gn).toMatchObject({ success: true });
      return answer;
    };
    await run('plugin_enable', { slug: 'resource_pool', enabled: 'true' });
    const pool = { name: 'Kit', username: 'kit', password: 'kit-pass-1' };
    const { id } = await run('p_respool_save', pool);
    await run('p_respool_open_host', { pool_id: String(id), node: 'local', host_user: 'kit-host-1', host_pass: 'secret-pass-1' });
    expect((await (await panel.as('nobody')).post('/pool/login', pool)).status).toBe(303);
    await panel.expectNoTrace('resource_pool', 20);
  }, 120_000);
});

it('svc-plugin test runs the test of a new project, and exits with 1 if it fails', { timeout: 180_000 }, async () => {
  const run = async (args: string[], cwd: string): Promise<{ status: number; said: string }> => {
    const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'sdk/bin/svc-plugin.mjs'), ...args], {
      cwd,
      env: { ...process.env, SVC_PANEL: '' },
    });
    const ended = once(child, 'close') as Promise<[number]>;
    const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
    return { status: (await ended)[0], said };
  };
  const kinds = [['function'], ['nest'], ['gateway', '--js'], ['driver']];
  for (const [kind, ...options] of kinds) {
    await run(['create', `own_${kind}`, '--kind', kind!, ...options], place);
    const { status, said } = await run(['test'], join(place, `own_${kind}`));
    expect(said).toContain('pass 2');
    expect(status, said).toBe(0);
  }
  writeFileSync(
    join(place, 'own_function/test/more.test.ts'),
    "import { test } from 'node:test';\ntest('never', () => { throw new Error('as it should'); });\n",
  );
  const failed = await run(['test'], join(place, 'own_function'));
  expect(failed).toMatchObject({ status: 1, said: expect.stringContaining('as it should') as string });
  expect(await run(['test', '--panel', place], join(place, 'own_nest'))).toMatchObject({
    status: 1,
    said: expect.stringContaining('is not a built panel') as string,
  });
});
