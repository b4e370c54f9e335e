import { createConnection, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

/** Where the plugins below leave messages; they run in this process. */
const signs: string[] = ((globalThis as Record<string, unknown>).p04 = []);

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const count = (sign: string): number => signs.filter((one) => one === sign).length;
const rests = async (): Promise<void> => {
  const before = signs.length;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(signs.slice(before)).toEqual([]);
};

/** Starts everything that could outlive a plugin, under every name it is available by, including a package inside the plugin. */
const RESTLESS = {
  'index.js': `
    const timers = require('timers');
    const promises = require('node:timers/promises');
    const process = require('process');
    const { promisify } = require('util');
    const bundled = require('some-package');
    const sign = (name) => () => void globalThis.p04.push(name);
    setInterval(sign('while loading'), 5);
    module.exports = (svc) => {
      setInterval(sign('setInterval'), 5);
      globalThis.setInterval(sign('globalThis'), 5);
      global.setInterval(sign('global'), 5);
      timers.setInterval(sign('timers'), 5);
      svc.setInterval(sign('svc'), 5);
      bundled(sign('package'));
      const again = () => { sign('setTimeout')(); setTimeout(again, 5); };
      setTimeout(again, 5);
      const soon = () => { sign('setImmediate')(); setImmediate(soon); };
      setImmediate(soon);
      (async () => { for (;;) { await promises.setTimeout(5); sign('promise')(); } })();
      (async () => { for (;;) { await promisify(setTimeout)(5); sign('promisify')(); } })();
      (async () => { for await (const _tick of promises.setInterval(5)) sign('ticks')(); })();
      const refreshed = setTimeout(() => { sign('refresh')(); refreshed.refresh(); }, 5);
      process.on('warning', sign('process'));
      globalThis.process.once('warning', sign('once'));
    };`,
  'node_modules/some-package/index.js': 'module.exports = (callback) => setInterval(callback, 5);',
};
const NAMES = [
  'while loading',
  'setInterval',
  'globalThis',
  'global',
  'timers',
  'svc',
  'package',
  'setTimeout',
  'setImmediate',
  'promise',
  'promisify',
  'ticks',
  'refresh',
];

describe('P4 nothing of a disabled plugin keeps running', () => {
  it('no timer fires and no process listener is called, under any name, over three cycles', async () => {
    writePlugin(panel.dataDir, 'restless', { files: RESTLESS });
    const heard = process.listenerCount('warning');
    for (let cycle = 0; cycle < 3; cycle += 1) {
      signs.length = 0;
      await panel.enable('restless');
      await expect.poll(() => NAMES.filter((name) => count(name) === 0)).toEqual([]);
      expect(process.listenerCount('warning')).toBe(heard + 2);
      process.emit('warning', new Error('for the listeners'));
      process.emit('warning', new Error('for the listeners'));
      expect([count('process'), count('once')]).toEqual([2, 1]);
      expect((await panel.disable('restless')).success).toBe(true);
      expect(process.listenerCount('warning')).toBe(heard);
      await rests();
    }
  });

  it('nor after a start that failed, or was too slow', async () => {
    writePlugin(
      panel.dataDir,
      'failing',
      functionPlugin(
        "setInterval(() => globalThis.p04.push('failing'), 5); process.on('warning', () => {}); svc.onStop(() => " +
          "globalThis.p04.push('stopped')); await null; throw new Error('no');",
      ),
    );
    const heard = process.listenerCount('warning');
    await panel.admin('plugin_install', { slug: 'failing' });
    signs.length = 0;
    expect((await panel.tryEnable('failing')).success).toBe(false);
    expect(signs.at(-1)).toBe('stopped');
    expect(process.listenerCount('warning')).toBe(heard);
    await rests();
  });

  it('every function of the old facade reports that the plugin was disabled', async () => {
    writePlugin(panel.dataDir, 'keeper', functionPlugin('globalThis.p04facade = svc;'));
    await panel.enable('keeper');
    const facade = (globalThis as Record<string, unknown>).p04facade as Record<string, unknown>;
    const functions = Object.entries(facade).flatMap(([name, value]) =>
      typeof value === 'function'
        ? [[name, value] as const]
        : typeof value === 'object' && value !== null
          ? Object.entries(value).map(([inner, call]) => [`${name}.${inner}`, call as () => unknown] as const)
          : [],
    );
    expect(functions.length).toBeGreaterThan(40);
    await panel.disable('keeper');
    for (const [name, call] of functions) expect(() => (call as () => unknown)(), name).toThrow(/"keeper" was stopped/);
  });

  it('servers, sockets and threads it opened are closed', async () => {
    writePlugin(
      panel.dataDir,
      'server',
      functionPlugin(`
      const http = require('http'), net = require('net'), dgram = require('dgram');
      const { Worker } = require('worker_threads');
      const web = http.createServer((req, res) => res.end('x'));
      await new Promise((done) => web.listen(0, '127.0.0.1', done));
      const raw = net.createServer(() => {});
      await new Promise((done) => raw.listen(0, '127.0.0.1', done));
      const udp = dgram.createSocket('udp4');
      await new Promise((done) => udp.bind(0, '127.0.0.1', done));
      const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
      udp.on('close', () => globalThis.p04.push('udp closed'));
      worker.on('exit', () => globalThis.p04.push('worker ended'));
      globalThis.p04ports = [web.address().port, raw.address().port];`),
    );
    await panel.enable('server');
    const ports = (globalThis as Record<string, unknown>).p04ports as number[];
    const sockets = await Promise.all(ports.map(connected));
    signs.length = 0;
    await panel.disable('server');
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.once('close', resolve)))),
    );
    await expect.poll(() => [...signs].sort()).toEqual(['udp closed', 'worker ended']);
    for (const port of ports) await expect(connected(port)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('work the panel starts for a plugin continues: passwords are hashed after it is gone', async () => {
    writePlugin(
      panel.dataDir,
      'opener',
      functionPlugin("await svc.hosts.provision({ node: 'local', user: 'p04host', password: 'secret-pass-1', expiresOn: null });"),
    );
    await panel.enable('opener');
    await panel.disable('opener');
    expect(await panel.signInUser('p04other')).toMatch(/^user_token=/);
  });

  it('onStop runs after the current calls, the last one first, and may still use the facade', async () => {
    writePlugin(
      panel.dataDir,
      'stopper',
      functionPlugin(`
      const say = (what) => globalThis.p04.push(what);
      svc.svc_register_ajax('admin', 'p_stopper', async () => { say('begun');
        await svc.svc_http_get('http://127.0.0.1:1/').catch(() => {}); await new Promise((done) => svc.setTimeout(done, 50));
        say('ended'); return { code: 'ok' }; }, 'admin');
      svc.onStop(() => say('first'));
      svc.onStop(async () => { await svc.svc_plugin_option_set('stopper', 'last', 'words'); say('second'); });
      svc.onStop(() => { throw new Error('third broke'); });`),
    );
    await panel.enable('stopper');
    signs.length = 0;
    const answer = panel.admin('p_stopper');
    await expect.poll(() => count('begun')).toBe(1);
    await panel.disable('stopper');
    expect(signs).toEqual(['begun', 'ended', 'second', 'first']);
    expect(await answer).toEqual({ code: 'ok' });
  });
});

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}
