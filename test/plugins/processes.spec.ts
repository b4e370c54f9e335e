import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createStartedPlace, testServer, type TestPlace } from '../support/database.js';
import { PanelProcess } from '../support/panel-process.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

if (!testServer)
  process.stdout.write('  skipped: plugins across two processes (set TEST_DATABASE_SERVER=mariadb://root@127.0.0.1:3306 to run it)\n');

/** Maximum time until a change is effective in all processes, in milliseconds. */
const LIMIT = 2_000;

describe.skipIf(!testServer)('two processes with one database', () => {
  let place: TestPlace;
  let a: PanelProcess;
  let b: PanelProcess;

  beforeAll(async () => {
    place = await createStartedPlace();
    // Concurrently: the second one waits for the first one's migrations.
    [a, b] = await Promise.all([
      PanelProcess.start(place.dataDir, place.databaseUrl),
      PanelProcess.start(place.dataDir, place.databaseUrl),
    ]);
    for (const [slug, needs] of [
      ['base', []],
      ['upper', ['base']],
    ] as const) {
      writePlugin(place.dataDir, slug, {
        manifest: { requires_plugins: needs },
        files: {
          'index.js': functionPlugin(
            `svc.svc_register_ajax('user', 'p_${slug}', () => ({ from: '${slug}' })); ` +
              `svc.svc_register_route('GET', '/${slug}', () => 'here');`,
          ),
        },
      });
    }
  });
  afterAll(async () => {
    await Promise.all([a?.stop(), b?.stop()]);
    await place?.dispose();
  });

  async function serves(panel: PanelProcess, slug: string): Promise<boolean> {
    const answer = (await (await panel.post('user', { gn: `p_${slug}` })).json()) as { from?: string };
    return answer.from === slug && (await fetch(`${panel.url}/${slug}`)).status === 200;
  }

  /** Returns the milliseconds until `panel` serves the plugin, or no longer does. */
  async function until(panel: PanelProcess, slug: string, wanted: boolean): Promise<number> {
    const began = performance.now();
    await expect.poll(() => serves(panel, slug), { timeout: 10_000, interval: 20 }).toBe(wanted);
    return performance.now() - began;
  }

  it('run the same plugins within two seconds of each change, whichever makes it', async () => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = round % 2 === 0 ? [a, b] : [b, a];
      await one.enable('base');
      times.push(await until(other, 'base', true));
      await one.enable('upper');
      times.push(await until(other, 'upper', true));
      expect(await other.admin('plugin_enable', { slug: 'base', enabled: 'false' })).toMatchObject({ success: true });
      times.push(await until(one, 'base', false));
      expect([await serves(one, 'upper'), await serves(other, 'upper')]).toEqual([false, false]);
      expect(await one.row('upper')).toMatchObject({ enabled: true, status: 'waiting' });
      await one.admin('plugin_enable', { slug: 'upper', enabled: 'false' });
    }
    process.stdout.write(`  a change of plugins reached the other process after at most ${Math.max(...times).toFixed(0)} ms\n`);
    expect(Math.max(...times)).toBeLessThan(LIMIT);
  });

  it('run the same version within two seconds of each upgrade, and always respond meanwhile', async () => {
    const put = (version: string): void =>
      void writePlugin(place.dataDir, 'versioned', {
        manifest: { version },
        files: { 'index.js': functionPlugin(`svc.svc_register_route('GET', '/versioned', () => '${version}');`) },
      });
    const ask = async (panel: PanelProcess): Promise<string> => (await fetch(`${panel.url}/versioned`)).text();
    put('1.0.0');
    await a.enable('versioned');
    await expect.poll(() => ask(b), { timeout: 10_000, interval: 20 }).toBe('1.0.0');
    const times: number[] = [];
    for (let major = 2; major < 8; major += 1) {
      put(`${major}.0.0`);
      await (major % 2 === 0 ? a : b).enable('versioned');
      const began = performance.now();
      const answers = new Set<string>();
      const other = major % 2 === 0 ? b : a;
      await expect.poll(async () => [...answers.add(await ask(other))].at(-1), { timeout: 10_000, interval: 20 }).toBe(`${major}.0.0`);
      times.push(performance.now() - began);
      expect([...answers].filter((answer) => !/^\d\.0\.0$/.test(answer))).toEqual([]);
    }
    process.stdout.write(`  an upgrade reached the other process after at most ${Math.max(...times).toFixed(0)} ms\n`);
    expect(Math.max(...times)).toBeLessThan(LIMIT);
    await a.admin('plugin_enable', { slug: 'versioned', enabled: 'false' });
  });

  it('converge when both change something at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const on = round % 2 === 0;
      await Promise.all([
        a.admin('plugin_enable', { slug: 'base', enabled: String(on) }),
        b.admin('plugin_enable', { slug: 'upper', enabled: String(on) }),
      ]);
    }
    // Immediately: its dependency was just enabled in the other process.
    await a.enable('base');
    await b.enable('upper');
    await until(a, 'upper', true);
    for (const panel of [a, b]) expect([await serves(panel, 'base'), await serves(panel, 'upper')]).toEqual([true, true]);
  });

  it('both run what was changed while one of them was down', async () => {
    await b.stop();
    await a.admin('plugin_enable', { slug: 'upper', enabled: 'false' });
    b = await PanelProcess.start(place.dataDir, place.databaseUrl);
    expect([await serves(b, 'base'), await serves(b, 'upper')]).toEqual([true, false]);
  });
});
