import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { BackgroundQueue, CronScheduler, JobRuns } from '../../src/jobs/index.js';
import { startMailServer, type TestMailServer } from '../support/mail-server.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
let mails: TestMailServer;
beforeAll(async () => {
  mails = await startMailServer();
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.0/8', TIMEZONE: 'Asia/Shanghai' });
});
afterAll(async () => {
  await panel.close();
  await mails.close();
});

const BOTH = { 'lang/en.json': '{"job.report":"Writes the report","hi":"Hello {name}"}', 'lang/zh-CN.json': '{"job.report":"写报告"}' };
async function enabled(slug: string, body: string, manifest: Record<string, unknown> = {}): Promise<void> {
  writePlugin(panel.dataDir, slug, { manifest, files: { 'index.js': functionPlugin(body), ...BOTH } });
  await panel.enable(slug);
}
async function call(gn: string, fields: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }) });
  return (await response.json()) as Record<string, unknown>;
}
/** Returns the error of enabling a plugin with this code. */
async function refused(body: string): Promise<string> {
  writePlugin(panel.dataDir, 'wrong', functionPlugin(body));
  const { success, code } = await panel.tryEnable('wrong');
  expect([success, panel.registrations('wrong')]).toEqual([false, {}]);
  return code;
}
const idle = (): Promise<void> => panel.get(BackgroundQueue).idle();

describe('jobs of a plugin', () => {
  it('run in the background with progress, once per key, again if they fail, and only their plugin can find them', async () => {
    await enabled(
      'worker',
      `
      svc.svc_register_job('report', { attempts: 2, backoffSeconds: 1, run: async (payload, turn) => {
        turn.progress(turn.attempt, 3, 'month ' + turn.attempt);
        if (payload.fails >= turn.attempt) throw new Error('no paper');
        return { pages: payload.pages, plugin: svc.slug };
      } });
      svc.svc_register_ajax('user', 'p_add', async (ctx) => ({ id: await svc.jobs.add('report', JSON.parse(ctx.body.payload),
        ctx.body.key ? { key: ctx.body.key, runAt: new Date(Date.now() + 3600000) } : {}) }));
      svc.svc_register_ajax('user', 'p_cancel', async (ctx) => ({ ended: await svc.jobs.cancel(ctx.body.id) }));
      svc.svc_register_ajax('user', 'p_job', async (ctx) => ({ job: await svc.jobs.find(ctx.body.id) }));`,
    );
    await enabled(
      'curious',
      `svc.svc_register_ajax('user', 'p_peek', async ({ body: { id } }) => ({
        job: await svc.jobs.find(id), ended: await svc.jobs.cancel(id) }));`,
    );
    const add = async (payload: object, key = ''): Promise<string> =>
      String((await call('p_add', { payload: JSON.stringify(payload), key })).id);
    const [good, bad] = [await add({ pages: 3, fails: 1 }), await add({ fails: 2 })];
    const job = async (id: string): Promise<unknown> => (await call('p_job', { id })).job;
    await expect
      .poll(() => job(good), { timeout: 15_000 })
      .toMatchObject({
        ...{ name: 'report', state: 'done', attempts: 2, result: { pages: 3, plugin: 'worker' } },
        progress: { done: 2, total: 3, note: 'month 2' },
      });
    await expect.poll(() => job(bad), { timeout: 15_000 }).toMatchObject({ state: 'failed', attempts: 2, error: 'no paper' });
    const later = await add({}, 'once');
    expect(await add({}, 'once')).toBe(later);
    expect(await call('p_peek', { id: later })).toEqual({ job: null, ended: false });
    expect(await call('p_cancel', { id: later })).toEqual({ ended: true });
    expect(await job(later)).toMatchObject({ state: 'cancelled' });
    for (const [locale, title] of [
      ['en', 'Writes the report'],
      ['zh-CN', '写报告'],
    ])
      expect(await (await panel.adminFetch('/admin/background', { headers: { 'Accept-Language': locale! } })).text()).toContain(title);
  });

  it('that run when it is disabled are signalled, wait for it, and are not run by a later installation', async () => {
    const source = `
      svc.svc_register_job('long', { run: async (_payload, { signal, attempt }) => {
        if (attempt > 1) return 'again';
        await new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }, backoffSeconds: 1 });
      svc.svc_register_job('never', { run: () => { globalThis.p16done = true; } });
      svc.svc_register_ajax('user', 'p_long', async () => ({ id: await svc.jobs.add('long'),
        never: await svc.jobs.add('never', null, { runAt: new Date(Date.now() + 3600000) }) }));
      svc.svc_register_ajax('user', 'p_state', async (ctx) => ({ job: await svc.jobs.find(ctx.body.id) }));`;
    await enabled('resting', source);
    const { id, never } = (await call('p_long')) as { id: string; never: string };
    const state = async (task = id): Promise<string | undefined> => (await panel.get(BackgroundQueue).find(task))?.state;
    await expect.poll(() => state()).toBe('running');
    expect((await panel.disable('resting')).success).toBe(true);
    await expect.poll(() => state()).toBe('waiting');
    await panel.enable('resting');
    await expect.poll(() => state(), { timeout: 15_000 }).toBe('done');
    await panel.disable('resting');
    await panel.admin('plugin_uninstall', { slug: 'resting', data: 'drop' });
    expect(['cancelled', undefined]).toContain(await state(never));
  });

  it('belong to the transaction they are added in', async () => {
    await enabled(
      'careful',
      `svc.svc_register_job('after', { run: () => 'done' });
       svc.svc_register_ajax('user', 'p_careful', async (ctx) => {
         let id = '';
         await svc.db.transaction(async () => {
           id = await svc.jobs.add('after');
           if (ctx.body.fails) throw new Error('given up');
         }).catch(() => undefined);
         return { id };
       });`,
    );
    const { id } = (await call('p_careful')) as { id: string };
    await idle();
    expect(await panel.get(BackgroundQueue).find(id)).toMatchObject({ state: 'done', result: 'done' });
    const undone = (await call('p_careful', { fails: 'yes' })) as { id: string };
    expect(await panel.get(BackgroundQueue).find(undone.id)).toBeNull();
  });

  it('are refused by name if they are invalid', async () => {
    expect(await refused("svc.svc_register_job('Bad Name', { run() {} });")).toMatch(/a job needs a name/);
    expect(await refused("svc.svc_register_job('x', {});")).toMatch(/the job "x" needs a function/);
    expect(await refused("svc.svc_register_job('x', { run() {}, attempts: 0 });")).toMatch(/needs attempts of 1 to 100/);
    expect(await refused("svc.svc_register_job('x', { run() {}, concurrency: 21 });")).toMatch(/concurrency of 1 to 20/);
    expect(await refused("svc.svc_register_job('x', { run() {} }); " + "svc.svc_register_job('x', { run() {} });")).toMatch(
      /already have a handler/,
    );
    expect(await refused("await svc.jobs.add('unknown');")).toMatch(/Call svc_register_job first/);
    expect(await refused("svc.svc_register_job('x', { run() {} }); await svc.jobs.add('x', 1n);")).not.toBe('');
  });
});

describe('scheduled callbacks', () => {
  it('run at the times of the expression in the panel’s zone, once a minute, until the plugin is removed', async () => {
    await enabled(
      'clockwork',
      `globalThis.p16runs = [];
       svc.svc_register_cron('night', '30 3 * * *', ({ signal }) => { globalThis.p16runs.push(signal instanceof AbortSignal); return 7; });
       svc.svc_register_cron('fails', '* * * * *', async () => { throw new Error('no oil'); }, { timeoutMinutes: 2 });`,
    );
    const runs = (): unknown => (globalThis as Record<string, unknown>).p16runs;
    const tick = (moment: string): Promise<boolean> => panel.get(CronScheduler).tick(new Date(moment));
    await tick('2035-03-01T19:29:00Z');
    expect(runs()).toEqual([]);
    await tick('2035-03-01T19:30:00Z');
    await tick('2035-03-01T19:30:00Z');
    expect(runs()).toEqual([true]);
    const page = await (await panel.adminFetch('/admin/jobs?export=jobs', { headers: { 'Accept-Language': 'en' } })).text();
    expect(page).toContain('clockwork: night');
    expect(page).toContain('on schedule 30 3 * * *');
    expect(await panel.get(JobRuns).last('clockwork:fails')).toMatchObject({ error: 'no oil' });
    await panel.disable('clockwork');
    expect(panel.registrations('clockwork')).toEqual({});
    await tick('2035-03-02T19:30:00Z');
    expect(runs()).toEqual([true]);
  });

  it('refuse an invalid expression', async () => {
    expect(await refused("svc.svc_register_cron('x', 'every night', () => {});")).toMatch(/is not a cron expression/);
    expect(await refused("svc.svc_register_cron('x', '0 0 31 2 *', () => {});")).toMatch(/never matches a time/);
    expect(await refused("svc.svc_register_cron('x', '* * * * *');")).toMatch(/needs a function/);
    expect(await refused("svc.svc_register_cron('x', '* * * * *', () => {}, { timeoutMinutes: 721 });")).toMatch(/1 to 720/);
  });
});

describe('services between plugins', () => {
  const USER = `const prices = svc.use('prices/list');
    svc.svc_register_ajax('user', 'p_price', async (ctx) => {
      try { return { price: await prices.of(ctx.body.what), enabled: svc.svc_plugin_enabled('prices') }; }
      catch (error) { return { error: error.message, code: error.code ?? '', enabled: svc.svc_plugin_enabled('prices') }; }
    });
    svc.svc_register_ajax('user', 'p_await', async () => ({ kept: (await prices) === prices, text: JSON.stringify(prices) ?? '' }));`;
  const provider = (price: number): string =>
    `svc.provide('prices/list', { of: async (what) => {
      if (what === 'gold') throw new Error('not for sale');
      return { price: ${price}, by: svc.slug };
    } });`;

  it('run on behalf of the current provider', async () => {
    await enabled('buyer', USER);
    expect(await call('p_price', { what: 'tin' })).toMatchObject({
      code: 'SERVICE_MISSING',
      error: expect.stringContaining('prices/list.of') as string,
      enabled: false,
    });
    await enabled('prices', provider(5));
    expect(await call('p_price', { what: 'tin' })).toEqual({ price: { price: 5, by: 'prices' }, enabled: true });
    expect(await call('p_price', { what: 'gold' })).toEqual({ error: 'not for sale', code: '', enabled: true });
    expect(await call('p_await')).toEqual({ kept: true, text: '{}' });
    await panel.disable('prices');
    expect(await call('p_price', { what: 'tin' })).toMatchObject({ code: 'SERVICE_MISSING', enabled: false });
    await enabled('prices', provider(6));
    expect(await call('p_price', { what: 'tin' })).toMatchObject({ price: { price: 6 } });
    // Another plugin that provides the name may then offer it.
    await panel.disable('prices');
    await panel.admin('plugin_uninstall', { slug: 'prices' });
    await enabled('better_prices', provider(4), { provides: ['prices'] });
    expect(await call('p_price', { what: 'tin' })).toEqual({ price: { price: 4, by: 'better_prices' }, enabled: true });
  });

  it('are refused under another plugin’s name, twice, and without functions', async () => {
    expect(await refused("svc.provide('prices/list', { of() {} });")).toMatch(/needs a name such as "wrong\/prices"/);
    expect(await refused("svc.provide('wrong/a', { of() {} }); svc.provide('wrong/a', { of() {} });")).toMatch(/is already registered/);
    for (const nothing of ['null', '{}', '{ of: 1 }', '() => 1'])
      expect(await refused(`svc.provide('wrong/a', ${nothing});`)).toMatch(/an object of functions/);
  });
});

describe('other features for a plugin', () => {
  it('mails are sent by the panel’s server, if the plugin has the permission', async () => {
    await enabled(
      'mute',
      `svc.svc_register_ajax('user', 'p_mute', async () => {
        try { await svc.mail.send({}); } catch ({ code }) { return { code }; }
      });`,
    );
    expect(await call('p_mute')).toEqual({ code: 'PERMISSION_MISSING' });
    await enabled(
      'writer',
      `svc.svc_register_ajax('user', 'p_mail', async (ctx) => {
        try { await svc.mail.send(JSON.parse(ctx.body.mail)); } catch (error) { return { error: error.message }; }
        return { set: svc.mail.isSetUp() };
      });`,
      { permissions: ['mail'] },
    );
    expect(await (await panel.adminFetch('/admin/plugins', { headers: { 'Accept-Language': 'en' } })).text()).toContain(
      'sends email on behalf of the panel',
    );
    const mail = { to: 'alice@mail.test', subject: 'Coupon', text: 'See https://shop.test/a' };
    const send = (change: object): Promise<Record<string, unknown>> => call('p_mail', { mail: JSON.stringify({ ...mail, ...change }) });
    for (const [change, problem] of [
      [{ to: 'a@mail.test, b@mail.test' }, /one mail address/],
      [{ subject: 'a\nBcc: b@mail.test' }, /a line of 1 to 200/],
      [{ text: '' }, /1 to 20000 characters/],
      [{ key: 'k'.repeat(81) }, /"key"/],
    ] as const)
      expect((await send(change)).error).toMatch(problem);
    await panel.admin('mailmode', { host: '127.0.0.1', port: String(mails.port), tls: 'none', from: 'panel@sail.test', name: 'Sail' });
    expect(await send({})).toEqual({ set: true });
    await idle();
    expect(mails.mails).toMatchObject([{ to: 'alice@mail.test', text: expect.stringContaining('Subject: Coupon') as string }]);
  });

  it('its data folder survives upgrades, and is deleted with its data', async () => {
    const source = "require('fs').writeFileSync(require('path').join(svc.dataFolder(), 'kept.txt'), 'x');";
    await enabled('files', source);
    const file = join(panel.dataDir, 'plugin-files/files/kept.txt');
    for (const [keep, there] of [
      ['keep', true],
      ['drop', false],
    ] as const) {
      await panel.disable('files');
      await panel.admin('plugin_uninstall', { slug: 'files', data: keep });
      expect(existsSync(file)).toBe(there);
      if (there) await enabled('files', source);
    }
  });

  it('texts in any language, and requests with limits', async () => {
    await enabled(
      'texts',
      `svc.svc_register_ajax('user', 'p_texts', async (ctx) => ({ en: svc.t('en', 'hi', { name: 'Al' }), other: svc.t('xx', 'job.report'),
        answer: await svc.http({ url: ctx.body.url, method: 'PUT', body: { a: 1 }, timeoutMs: 200 }) }));`,
    );
    const server = createServer((req, res) => {
      if (req.url !== '/slow') req.pipe(res.setHeader('X-Method', req.method!));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    expect(await call('p_texts', { url })).toMatchObject({
      ...{ en: 'Hello Al', other: '写报告' },
      answer: { ok: true, body: '{"a":1}', headers: { 'x-method': 'PUT' } },
    });
    const began = performance.now();
    expect(await call('p_texts', { url: `${url}/slow` })).toMatchObject({ answer: { ok: false, code: 0 } });
    expect(performance.now() - began).toBeLessThan(5_000);
    server.closeAllConnections();
    server.close();
  });

  it('queries for hosts, orders and servers, and a sign-in link for the owner', async () => {
    await enabled(
      'reader',
      `svc.svc_register_ajax('user', 'p_read', async () => {
        const host = { node: 'local', password: 'secret-pass-1', expiresOn: '2031-01-01' };
        for (const user of ['reader01', 'reader02', 'reader03']) await svc.hosts.provision({ ...host, user });
        await svc.hosts.pause((await svc.hosts.get('reader02')).id);
        for (const name of ['One', 'Two']) await svc.orders.create({ user: 'reader01', scene: 'reading', name, amount: 100, owner: null });
        const hosts = await svc.hosts.find({ text: 'reader', status: 'active', node: 'local', expiresUntil: '2031-01-01', limit: 1 });
        const orders = await svc.orders.find({ scene: 'reading', status: 'unpaid', page: 2, limit: 1 });
        const none = await svc.hosts.find({ text: '%', page: -3, limit: 'x' });
        return { hosts: [hosts.total, hosts.hosts.map(({ user }) => user)], none: none.total,
          orders: [orders.total, orders.orders.map(({ name }) => name)],
          servers: await svc.hosts.servers(), link: await svc.hosts.signInLink(hosts.hosts[0].id) };
      });`,
      { permissions: ['host_passwords', 'hosts', 'orders'] },
    );
    const { link, servers, ...rest } = await call('p_read');
    expect(rest).toEqual({ hosts: [2, ['reader03']], orders: [2, ['One']], none: 0 });
    expect(servers).toEqual([expect.objectContaining({ code: 'local', kind: 'embedded', open: true, hosts: 3, awaySince: null })]);
    expect(JSON.stringify(servers)).not.toMatch(/key|secret/i);
    const entered = await fetch(String(link), { redirect: 'manual' });
    expect([entered.status, entered.headers.getSetCookie().some((line) => line.startsWith('user_token='))]).toEqual([302, true]);
    // A host that is being deleted is neither among the rows nor in the total.
    const accounts = panel.get(Database).repository(HostingAccount);
    await accounts.update({ username: 'reader03' }, { state: 'terminating' });
    await accounts.update({ username: 'reader02' }, { state: 'failed' });
    await enabled(
      'counter',
      `svc.svc_register_ajax('user', 'p_count', async () => {
        const { total, hosts } = await svc.hosts.find({ text: 'reader', limit: 1 });
        return { total, hosts: hosts.map(({ user }) => user) };
      });`,
      { permissions: ['hosts'] },
    );
    expect(await call('p_count')).toMatchObject({ total: 1, hosts: ['reader01'] });
    await enabled(
      'locked',
      `svc.svc_register_ajax('user', 'p_locked', async () => {
        try { await svc.hosts.signInLink(1); } catch ({ code }) { return { code }; }
      });`,
    );
    expect(await call('p_locked')).toEqual({ code: 'PERMISSION_MISSING' });
  });

  it('routes appear in the OpenAPI document of the panel while it is active', async () => {
    await enabled(
      'described',
      `svc.svc_register_route('GET', '/described/{plan}', () => 'x', 10, 'user');
       svc.svc_register_route('*', '/described/hook', () => 'x', 20, null, { csrfExempt: true, rate: 'callback' });
       svc.svc_register_route('POST', '/described/hook', () => 'x', 5, (ctx) => false);`,
    );
    const paths = async (): Promise<Record<string, Record<string, unknown>>> => {
      const { paths: all } = (await (await panel.adminFetch('/admin/openapi.json')).json()) as {
        paths: Record<string, Record<string, unknown>>;
      };
      return Object.fromEntries(Object.entries(all).filter(([path]) => path.startsWith('/described/')));
    };
    const found = await paths();
    expect(found['/described/{plan}']).toMatchObject({
      get: { security: [{ user: [] }], parameters: [{ name: 'plan', in: 'path', required: true }], tags: ['plugins'] },
    });
    expect(Object.keys(found['/described/hook']!).sort()).toEqual(['delete', 'get', 'patch', 'post', 'put']);
    expect(found['/described/hook']).toMatchObject({
      get: { description: expect.stringContaining('Cross-site requests are allowed') as string, security: [{}] },
      post: { description: expect.stringContaining('The plugin decides who may call it') as string },
    });
    await panel.disable('described');
    expect(await paths()).toEqual({});
  });
});
