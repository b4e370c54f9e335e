/** A plugin is upgraded and rolled back a hundred times under load: no request is lost or answered by a half-started version. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as turn } from 'node:timers/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { EventOutbox, HookRegistry } from '../../src/hooks/index.js';
import { PackageCheck } from '../../src/plugin-store/package-check.js';
import { PackageExchange } from '../../src/plugin-store/package-exchange.js';
import { testServer } from '../support/database.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin } from '../support/plugins.js';
import { zipOf } from '../support/store-packages.js';

const ROUNDS = testServer ? 10 : 50;
const seen = globalThis as unknown as { loadEvents: string[]; loadJobs: number };

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
  Object.assign(seen, { loadEvents: [], loadJobs: 0 });
});
afterAll(() => panel?.close());

/** Returns a version that registers its route first and is ready later, like a plugin that reads its options at startup. */
const zipFor = (version: string): Promise<Buffer> =>
  zipOf('load', {
    'plugin.json': JSON.stringify({ id: 'load', name: 'load', version }),
    'index.js': functionPlugin(`
      let ready = false;
      const answer = () => '${version} ' + (ready ? 'whole' : 'half');
      svc.svc_register_route('GET', '/load', answer);
      svc.svc_register_ajax('user', 'p_load', () => ({ code: answer() }));
      svc.svc_add_action('host.paused', (user) => { globalThis.loadEvents.push(user); }, 10, { id: 'load' });
      svc.svc_add_action('cron', () => { globalThis.loadJobs += ready ? 1 : 0; });
      await svc.svc_plugin_option_set('load', 'started', '${version}');
      await new Promise((done) => setTimeout(done, 3));
      ready = true;`),
  });

it(`no request or event is lost during ${2 * ROUNDS} upgrades and rollbacks`, { timeout: 120_000 }, async () => {
  const exchange = panel.get(PackageExchange);
  const [old, fresh] = await Promise.all(
    ['1.0.0', '2.0.0'].map(async (version) => {
      const path = join(panel.dataDir, `load-${version}.zip`);
      writeFileSync(path, await zipFor(version));
      return panel.get(PackageCheck).ofUpload(path);
    }),
  );
  await exchange.put(old!, { store: '', order: '' });

  let isOver = false;
  const answers = new Map<string, number>();
  const note = (answer: string): void => void answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const asking = async (ask: () => Promise<string>): Promise<void> => {
    while (!isOver) {
      note(await ask());
      await turn(5);
    }
  };
  const route = async (): Promise<string> => {
    const answer = await panel.fetch('/load');
    return answer.status === 200 ? answer.text() : `route ${answer.status}`;
  };
  const operation = async (): Promise<string> => {
    const answer = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: 'p_load' }) });
    return ((await answer.json()) as { code: string }).code;
  };
  const [database, outbox, hooks] = [panel.get(Database), panel.get(EventOutbox), panel.get(HookRegistry)];
  let events = 0;
  const telling = async (): Promise<void> => {
    while (!isOver) {
      const args: [string, number] = [`user${(events += 1)}`, events];
      await database.transaction(() => outbox.record({ hook: 'host.paused', subject: `host:${events}`, source: 'admin', args, row: {} }));
      await hooks.doAction('cron');
      await turn(20);
    }
  };
  const load = [asking(route), asking(route), asking(operation), telling()];
  const began = performance.now();
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await exchange.put(fresh!, { store: '', order: '' });
      await exchange.back('load', '1.0.0');
    }
  } finally {
    isOver = true;
  }
  const took = performance.now() - began;
  await Promise.all(load);

  const total = [...answers.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `  ${total} requests and ${events} events during ${2 * ROUNDS} exchanges of ${(took / ROUNDS / 2).toFixed(0)} ms each\n`,
  );
  expect([...answers.keys()].sort()).toEqual(['1.0.0 whole', '2.0.0 whole']);
  const told = (): number => new Set(seen.loadEvents).size;
  await expect.poll(told, { timeout: 30_000, interval: 50 }).toBe(events);
  expect(seen.loadJobs).toBeGreaterThan(0);
});
