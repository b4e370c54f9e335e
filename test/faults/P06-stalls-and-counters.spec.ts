import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CallDeadlines, Faults, PACKAGE_ROOT, type Strike } from '../../src/common/index.js';
import { HookRegistry } from '../../src/hooks/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { hostilePlugin, letGo, MISBEHAVIOURS } from '../support/hostile-plugins.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { overlookStalls, watchForStalls } from '../support/stalls.js';

let panel: TestPanel;

beforeAll(async () => {
  await watchForStalls();
  panel = await TestPanel.start();
  panel.get(RuntimeLimits).drain = 20;
});
afterAll(async () => {
  await panel.close();
  overlookStalls();
});

/** A row of `plugin_list` with its counters. */
async function countedRow(slug: string, locale = 'en'): Promise<Record<string, unknown>> {
  const response = await panel.adminFetch('/admin/ajax.php', {
    method: 'POST',
    body: new URLSearchParams({ gn: 'plugin_list' }),
    headers: { 'Accept-Language': locale },
  });
  const { rows } = (await response.json()) as { rows: Record<string, unknown>[] };
  return rows.find((row) => row.slug === slug)!;
}

/** Long enough to inspect a stack in a process with a test runner's scripts. */
const BUSY_FOR_LONG = MISBEHAVIOURS.busy.replace('700', '1500');

/** Receives strikes instead of the quarantine, which would disable the plugin, until it is restored. */
function takeStrikes(): { strikes: Strike[]; giveBack: () => void } {
  const faults = panel.get(Faults);
  const strikes: Strike[] = [];
  const usual = faults.listeners('strike');
  faults.removeAllListeners('strike').on('strike', (strike) => strikes.push(strike));
  const giveBack = (): void => {
    faults.removeAllListeners('strike');
    for (const listener of usual) faults.on('strike', listener);
  };
  return { strikes, giveBack };
}

const visit = (path: string): Promise<Response> => panel.fetch(path, { headers: { 'Accept-Language': 'en' } });

describe('P6 calls of plugins are counted and shown', () => {
  it('calls, errors and time of each location, most time first, without a request for it', async () => {
    writePlugin(
      panel.dataDir,
      'counted',
      functionPlugin(`
      svc.svc_register_route('GET', '/counted/slow', () => new Promise((done) => setTimeout(() => done('slow'), 60)));
      svc.svc_register_route('GET', '/counted/fails', () => { throw new Error('counted failure'); });
      svc.svc_register_ajax('user', 'p_counted_out', () => svc.svc_plugin_auth_fail('user'));
      svc.svc_add_action('menu.admin', () => {});
    `),
    );
    await panel.enable('counted');
    for (const path of ['/counted/slow', '/counted/slow', '/counted/fails']) await (await visit(path)).text();
    await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'p_counted_out' }) });
    await panel.adminFetch('/admin/plugins');

    const { rows } = (await panel.admin('plugin_calls', { slug: 'counted' })) as unknown as { rows: Record<string, unknown>[] };
    rows.splice(
      rows.findIndex(({ place }) => place === 'activation'),
      1,
    );
    expect(rows.map(({ place, calls, errors, timeouts, state }) => [place, calls, errors, timeouts, state]).slice(0, 1)).toEqual([
      ['route GET /counted/slow', 2, 0, 0, 'open'],
    ]);
    expect(rows[0]!.mean_ms).toBeGreaterThanOrEqual(55);
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    expect(byPlace.get('route GET /counted/fails')).toMatchObject({ calls: 1, errors: 1 });
    // Asking for a sign-in is a response, not an error.
    expect(byPlace.get('operation p_counted_out')).toMatchObject({ calls: 1, errors: 0 });
    expect(byPlace.get('listener of menu.admin')).toMatchObject({ calls: 1, errors: 0 });

    const row = await countedRow('counted');
    expect(row).toMatchObject({
      calls: 6,
      call_errors: 1,
      timeouts: 0,
      paused: 0,
      faults: 1,
      last_fault: { place: 'route GET /counted/fails', message: 'counted failure' },
    });
    expect(row.activity).toMatch(/^calls: 6, average .* ms, maximum .* ms · errors: 1 · last error 20\d\d-[^·]*$/);
    expect((await countedRow('counted', 'zh-CN')).activity).toMatch(/^调用 6 次/);
  });

  it('has a page for each plugin, and none for an invalid plugin name', async () => {
    const page = await panel.adminFetch('/admin/plugin-calls?slug=counted');
    expect([page.status, (await page.text()).includes('route GET /counted/fails')]).toEqual([200, true]);
    expect((await panel.adminFetch('/admin/plugin-calls?slug=%22%3E')).status).toBe(404);
  });

  it('the last error survives a restart, and is cleared once someone enables the plugin again', async () => {
    await panel.restart();
    expect(await countedRow('counted')).toMatchObject({
      status: 'active',
      error: '',
      faults: 0,
      calls: 1,
      last_fault: { place: 'route GET /counted/fails', message: 'counted failure' },
    });
    expect((await countedRow('counted')).activity).toContain(': route GET /counted/fails (counted failure)');
    expect((await countedRow('counted', 'zh-CN')).activity).toContain('：路由 GET /counted/fails（counted failure）');
    await panel.enable('counted');
    expect(await countedRow('counted')).toMatchObject({ last_fault: null });
    await panel.restart();
    expect(await countedRow('counted')).toMatchObject({ last_fault: null });
  });
});

describe('P6 a callback that repeatedly misses its deadline', () => {
  it('is refused immediately with 503 and Retry-After, alone, retried after a while, and served again', async () => {
    Object.assign(panel.get(CallDeadlines), { route: 40, page: 40, breakerPause: 300 });
    writePlugin(
      panel.dataDir,
      'hostile',
      `${hostilePlugin('answersLate', 'route', 'adminMenu')}
      const misbehave = module.exports;
      module.exports = async (svc) => { await misbehave(svc); svc.svc_register_route('GET', '/hostile/other', () => 'fine'); };`,
    );
    await panel.enable('hostile');
    for (let i = 0; i < 5; i++) expect((await visit('/hostile')).status).toBe(504);

    const refused = await visit('/hostile');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('is paused');
    expect((await visit('/hostile/other')).status).toBe(200);
    expect(await countedRow('hostile')).toMatchObject({ status: 'active', enabled: true, timeouts: 5, paused: 1 });
    // Refusals are no errors: strangers can cause any number of them.
    expect((await countedRow('hostile')).faults).toBe(5);

    // One may try, and fails; the others are refused meanwhile and afterwards.
    await expect.poll(async () => (await visit('/hostile')).status).toBe(504);
    expect((await visit('/hostile')).status).toBe(503);
    letGo();

    // It finally responds.
    const asked = async (): Promise<number> => {
      const answer = visit('/hostile');
      setTimeout(letGo, 15);
      return (await answer).status;
    };
    Object.assign(panel.get(CallDeadlines), { route: 2_000 });
    await expect.poll(asked).toBe(200);
    expect(await countedRow('hostile')).toMatchObject({ paused: 0 });
  });

  it('of a page does not delay every page by its deadline: it is skipped', async () => {
    for (let i = 0; i < 6; i++) expect((await panel.adminFetch('/admin/plugins')).status).toBe(200);
    const { rows } = (await panel.admin('plugin_calls', { slug: 'hostile' })) as unknown as { rows: Record<string, unknown>[] };
    expect(rows.find(({ place }) => place === 'listener of menu.admin')).toMatchObject({ state: 'paused', timeouts: 5 });
    letGo();
  });
});

describe('P6 a loop in a callback', () => {
  it.each([
    ['adminMenu', 'listener of menu.admin', async (): Promise<void> => void (await panel.adminFetch('/admin/plugins'))],
    ['route', 'route GET /hostile', async (): Promise<void> => void (await panel.fetch('/hostile'))],
    [
      'operation',
      'operation p_hostile',
      async (): Promise<void> =>
        void (await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'p_hostile' }) })),
    ],
    ['timer', 'timer', async (): Promise<void> => void (await panel.fetch('/hostile-timer'))],
    ['widget', 'widget admin/main', async (): Promise<void> => void (await panel.adminFetch('/admin/'))],
  ] as const)('(%s) is a strike of its plugin, with the location and how long everything was blocked', async (at, place, call) => {
    const { strikes, giveBack } = takeStrikes();
    try {
      writePlugin(
        panel.dataDir,
        'hostile',
        at === 'timer'
          ? functionPlugin(
              `svc.svc_register_route('GET', '/hostile-timer', () => { setTimeout(() => { ${MISBEHAVIOURS.busy} },
                5); return 'started'; });`,
            )
          : hostilePlugin('busy', at),
      );
      await panel.enable('hostile');
      await call();
      await expect.poll(() => strikes, { timeout: 5_000 }).toMatchObject([{ owner: 'hostile', kind: 'stall', place }]);
      const { faults: count, last_fault: fault } = await countedRow('hostile');
      expect(count).toBe(1);
      expect((fault as { message: string }).message).toMatch(/^the panel was blocked for ([6-9]|\d\d+)\d\d ms$/);
    } finally {
      giveBack();
      await panel.disable('hostile');
    }
  });

  it('at startup is a strike as well', async () => {
    const { strikes, giveBack } = takeStrikes();
    try {
      writePlugin(panel.dataDir, 'hostile', functionPlugin(MISBEHAVIOURS.busy));
      await panel.enable('hostile');
      await expect.poll(() => strikes, { timeout: 5_000 }).toMatchObject([{ owner: 'hostile', kind: 'stall', place: 'activation' }]);
    } finally {
      giveBack();
      await panel.disable('hostile');
    }
  });

  it.each([
    [
      'after an await',
      `async function afterwards() {
        await new Promise((done) => setImmediate(done));
        ${BUSY_FOR_LONG}
        return 'late';
      }`,
    ],
    [
      "in a callback of Node's",
      `function afterwards() {
        return new Promise((done) => require('fs').stat(__filename, function afterwards() { ${BUSY_FOR_LONG} done('late'); }));
      }`,
    ],
  ])('%s is a strike of its plugin, with function, file and line', async (_when, source) => {
    const { strikes, giveBack } = takeStrikes();
    try {
      writePlugin(panel.dataDir, 'hostile', {
        files: {
          'index.js': functionPlugin("svc.svc_register_route('GET', '/hostile-late', require('./lib/late.js'));"),
          'lib/late.js': `module.exports = ${source};`,
        },
      });
      await panel.enable('hostile');
      // Repeated if the machine was too busy for the watchdog to check twice: then it blames nobody.
      const stalls = async (): Promise<Strike | undefined> => {
        expect(await (await panel.fetch('/hostile-late')).text()).toContain('late');
        // The watchdog reports it a moment later: a stall repeated by then would be reported in the next test.
        for (const until = Date.now() + 1_000; strikes.length === 0 && Date.now() < until;)
          await new Promise((done) => setTimeout(done, 20));
        return strikes[0];
      };
      await expect.poll(stalls, { timeout: 25_000, interval: 300 }).toMatchObject({
        owner: 'hostile',
        kind: 'stall',
        place: expect.stringMatching(/^afterwards \(lib\/late\.js:[23]\)$/) as string,
      });
    } finally {
      giveBack();
      await panel.disable('hostile');
    }
  });

  it('in code of the panel is attributed to nobody', async () => {
    const { strikes, giveBack } = takeStrikes();
    try {
      const undo = panel.get(HookRegistry).addAction(
        'own.stall',
        () => {
          const end = Date.now() + 1_500;
          while (Date.now() < end);
        },
        { owner: 'core' },
      );
      panel.get(HookRegistry).doAction('own.stall');
      undo();
      await new Promise((done) => setTimeout(done, 300));
      expect(strikes).toEqual([]);
    } finally {
      giveBack();
    }
  });

  it('that never ends is named as well: the watchdog writes to the log on its own', async () => {
    const common = pathToFileURL(join(PACKAGE_ROOT, 'dist/src/common/index.js')).href;
    const source = `import { PluginCalls, watchStalls } from '${common}';
      watchStalls(() => {});
      const loop = new PluginCalls().guard('looper', 'route GET /loop', { kind: 'route' }, () => { for (;;); });
      setTimeout(loop, 200);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    try {
      await expect.poll(() => output, { timeout: 10_000 }).toContain('\n');
      expect(JSON.parse(output.split('\n')[0]!)).toMatchObject({
        level: 50,
        feature: 'watchdog',
        plugin: 'looper',
        place: 'route GET /loop',
        msg: 'the event loop is blocked by a plugin, and still is',
      });
    } finally {
      child.kill('SIGKILL');
    }
  });
});
