import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { HookRegistry } from '../../src/hooks/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

/** Where the plugins below leave messages and wait; they run in this process. */
const shared: { signs: string[]; go: () => void; gate: Promise<void> } = ((globalThis as Record<string, unknown>).p09 = {
  signs: [],
  go: () => undefined,
  gate: Promise.resolve(),
});

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());
afterEach(() => shared.go());

function closeGate(): void {
  shared.signs.length = 0;
  shared.gate = new Promise((resolve) => (shared.go = resolve));
}
const said = (sign: string): boolean => shared.signs.includes(sign);
const begun = (): Promise<void> => expect.poll(() => shared.signs.length).toBeGreaterThan(0);

describe('P9 listeners of a stopped plugin', () => {
  it('a listener whose plugin is disabled while the hook runs is not called when its turn comes', async () => {
    writePlugin(
      panel.dataDir,
      'slow',
      functionPlugin(
        "svc.svc_add_action('p09.tick', async () => { globalThis.p09.signs.push('slow'); await globalThis.p09.gate; " +
          "}, 1); svc.svc_add_filter('p09.tick', () => { globalThis.p09.signs.push('own second'); }, 2);",
      ),
    );
    writePlugin(
      panel.dataDir,
      'later',
      functionPlugin(
        "svc.svc_add_action('p09.tick', () => globalThis.p09.signs.push('later'), 3); svc.onStop(() => " +
          "globalThis.p09.signs.push('later stopped'));",
      ),
    );
    await panel.enable('slow');
    await panel.enable('later');
    closeGate();
    const run = panel.get(HookRegistry).doAction('p09.tick');
    await panel.disable('later');
    shared.go();
    await run;
    expect(shared.signs).toEqual(['slow', 'later stopped', 'own second']);
    await panel.disable('slow');
  });

  it('a listener that another one removes before its turn is not called', async () => {
    writePlugin(
      panel.dataDir,
      'undoing',
      functionPlugin(
        "let undo; svc.svc_add_action('p09.undo', () => undo(), 1); undo = svc.svc_add_action('p09.undo', () => " +
          "globalThis.p09.signs.push('taken back'), 2);",
      ),
    );
    await panel.enable('undoing');
    closeGate();
    await panel.get(HookRegistry).doAction('p09.undo');
    expect(shared.signs).toEqual([]);
    await panel.disable('undoing');
  });

  it('current requests and listeners end before onModuleDestroy; new ones go elsewhere', async () => {
    writePlugin(
      panel.dataDir,
      'serving',
      `
      const { Module } = require('@nestjs/common'); const { SVC_FACADE } = require('@svc/sdk');
        const { Inject } = require('@nestjs/common');
      const shared = globalThis.p09;
      class Plugin {
        constructor(svc) { this.svc = svc; }
        onModuleInit() {
          const serve = (what) => async () => { shared.signs.push(what + ' begun'); await shared.gate;
            await this.svc.svc_plugin_option_set('serving', what, '1'); shared.signs.push(what + ' ended'); return { code: what }; };
          this.svc.svc_register_route('GET', '/serving', serve('route'));
          this.svc.svc_register_ajax('admin', 'p_serving', serve('operation'), 'admin');
          this.svc.svc_add_action('p09.serve', serve('listener'));
        }
        onModuleDestroy() { shared.signs.push('destroyed'); }
      }
      Module({})(Plugin); Inject(SVC_FACADE)(Plugin, undefined, 0); module.exports = Plugin;`,
    );
    await panel.enable('serving');
    closeGate();
    const under = [
      panel.fetch('/serving').then((answer) => answer.status),
      panel.admin('p_serving').then(({ code }) => code),
      Promise.resolve(panel.get(HookRegistry).doAction('p09.serve')),
    ];
    await expect.poll(() => shared.signs.length).toBe(3);
    const disabled = panel.disable('serving');
    // Requested too early, the route would still exist and wait like the others.
    await expect.poll(() => panel.registrations('serving')).toEqual({});
    expect((await panel.fetch('/serving')).status).toBe(404);
    expect(said('destroyed')).toBe(false);
    shared.go();
    expect(await Promise.all(under)).toEqual([200, 'operation', undefined]);
    expect((await disabled).success).toBe(true);
    expect(shared.signs.at(-1)).toBe('destroyed');
    expect(shared.signs).toHaveLength(7);
  });

  it('calls that do not end are not waited for, and can do nothing afterwards', async () => {
    writePlugin(
      panel.dataDir,
      'hanging',
      functionPlugin(`
      svc.svc_add_action('p09.hang', async () => {
        globalThis.p09.signs.push('hanging');
        await globalThis.p09.gate;
        try { await svc.svc_plugin_option_set('hanging', 'late', '1'); globalThis.p09.signs.push('stored');
          } catch (error) { globalThis.p09.signs.push(error.message); }
      });`),
    );
    await panel.enable('hanging');
    panel.get(RuntimeLimits).drain = 50;
    closeGate();
    const run = panel.get(HookRegistry).doAction('p09.hang');
    await begun();
    expect((await panel.disable('hanging')).success).toBe(true);
    shared.go();
    await run;
    await expect.poll(() => shared.signs.at(-1)).toMatch(/"hanging" was stopped/);
  });
});
