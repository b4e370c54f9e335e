import { afterAll, beforeAll, expect, it } from 'vitest';

import { createStartedPlace, type TestPlace } from '../support/database.js';
import { PanelProcess } from '../support/panel-process.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

// The panel runs as a process, because the test runner itself reacts to unhandled errors.
let place: TestPlace;
let panel: PanelProcess;

beforeAll(async () => {
  place = await createStartedPlace();
  panel = await PanelProcess.start(place.dataDir, place.databaseUrl);
});
afterAll(async () => {
  await panel.stop();
  await place.dispose();
});

it.each([
  ['a timer', "setTimeout(() => { throw new Error('late broke'); }, 1);"],
  ['an immediate', "setImmediate(() => { throw new Error('late broke'); });"],
  ['a promise nobody awaits', "void (async () => { await new Promise((done) => setTimeout(done, 1)); throw new Error('late broke'); })();"],
  ['a promise rejected at once', "Promise.reject(new Error('late broke'));"],
  ['a promise rejected with no error', "setTimeout(() => Promise.reject('late broke'), 1);"],
  ['an event emitter', "const e = new (require('node:events'))(); setTimeout(() => e.emit('error', new Error('late broke')), 1);"],
  ['a socket', "require('node:net').connect(1, '127.0.0.1', () => {}).on('error', () => { throw new Error('late broke'); });"],
  ['a file callback', "require('node:fs').readFile('/nowhere', () => { throw new Error('late broke'); });"],
  ['a connection nobody listens to', "require('node:net').connect(1, '127.0.0.1');"],
  ['a request nobody listens to', "require('node:http').get('http://127.0.0.1:1/');"],
  ['a callback of a microtask', "queueMicrotask(() => { throw new Error('late broke'); });"],
  [
    'a timer of an operation',
    "svc.svc_register_ajax('user', 'p_late', () => { setTimeout(() => { throw new Error('late broke'); }, 1); return {}; });",
  ],
  [
    'a promise of a route',
    "svc.svc_register_route('GET', '/late', () => { void Promise.resolve().then(() => { throw new Error('late " +
      "broke'); }); return 'sent'; });",
  ],
  [
    'a promise of a listener',
    "svc.svc_add_action('menu.admin', () => { void (async () => { await null; throw new Error('late broke'); })(); });",
  ],
])('survives what a plugin throws in %s, and reports it in list and log', async (what, body) => {
  const message = body.includes('late broke') ? /late broke/ : /ECONNREFUSED/;
  const slug = `late_${what.replace(/\W/g, '_')}`;
  writePlugin(place.dataDir, slug, functionPlugin(body));
  await panel.enable(slug);
  if (body.includes('p_late')) expect(await (await panel.post('user', { gn: 'p_late' })).json()).toEqual({});
  if (body.includes("'/late'")) expect(await (await fetch(`${panel.url}/late`)).text()).toBe('sent');
  if (body.includes('menu.admin')) await panel.page('/admin/');
  await expect.poll(async () => (await panel.row(slug))?.error, { timeout: 5_000 }).toMatch(message);
  await expect.poll(() => panel.log).toMatch(new RegExp(`(${message.source}).*"plugin":"${slug}"`));
  expect(panel.running).toBe(true);
  expect((await fetch(`${panel.url}/readyz`)).status).toBe(200);
  expect(await panel.admin('plugin_enable', { slug, enabled: 'false' })).toMatchObject({ success: true });
});
