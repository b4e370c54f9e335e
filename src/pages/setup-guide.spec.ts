import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { functionPlugin, writePlugin } from '../../test/support/plugins.js';
import { TestPanel } from '../../test/support/panel.js';
import { tidyHtml } from '../../test/support/tidy-html.js';

import { toSetupSteps } from './setup-steps.js';

let panel: TestPanel;
beforeEach(async () => {
  panel = await TestPanel.start();
});
afterEach(() => panel?.close());

/** Titles of the steps on the dashboard; a done one is ticked. */
async function steps(): Promise<string[]> {
  const html = await (await panel.adminFetch('/admin/', { headers: { 'Accept-Language': 'en' } })).text();
  const found = tidyHtml(html).matchAll(/<div class="(text-secondary|fw-bold)">([^<]*)<span class="visually-hidden">– (Done|To do)</g);
  return [...found].map(([, , title, state]) => `${title}: ${state}`);
}

describe('the guide on the dashboard', () => {
  it('completes finished steps, disappears when all are complete, and can be hidden', async () => {
    expect(await steps()).toEqual([
      'A private password: To do',
      'A server that customers’ sites can be reached on: To do',
      'A way to get paid: To do',
      'Something to sell: To do',
      'Email that reaches customers: To do',
    ]);
    await panel.admin('mailmode', { host: '127.0.0.1', port: '25', tls: 'none', user: '', from: 'panel@example.com' });
    expect(await steps()).toContain('Email that reaches customers: Done');

    // A gateway that moves no money is not a way to be paid.
    await panel.enable('sandbox');
    expect(await steps()).toContain('A way to get paid: To do');
    writePlugin(
      panel.dataDir,
      'cash',
      functionPlugin("svc.svc_register_payment('cash', { name: 'Cash', methods: { desk: 'Desk' }, build: () => false });"),
    );
    await panel.enable('cash');
    const methods = [{ plugin: 'cash', method: 'desk', display_name: 'Desk', sort: 1 }];
    await panel.admin('setpaymethods', { methods: JSON.stringify(methods) });
    expect(await steps()).toContain('A way to get paid: Done');
    await panel.disable('cash');
    expect(await steps()).toContain('A way to get paid: To do');

    expect(await panel.admin('ydkg', { kg: 'false' })).toMatchObject({ success: true });
    expect(await steps()).toEqual([]);
    expect(await panel.admin('ydkg', { kg: 'maybe' })).toMatchObject({ err: 'E_ARGS' });
    await panel.admin('ydkg', { kg: 'true' });
    expect((await steps()).length).toBe(5);
  });

  it("shows the shop's steps in place of its own, and opens the shop", async () => {
    await panel.enable('hosting_shop');
    const shop = async () => (await steps()).filter((step) => /on sale|as a customer|to sell/.test(step));
    expect(await shop()).toEqual(['A plan on sale: To do', 'See your shop as a customer: To do']);
    const plan = {
      name: 'Start',
      description: '',
      node: 'local',
      price: '9.9',
      web_mb: '100',
      database_mb: '0',
      traffic_gb: '0',
      domains: '1',
    };
    expect(await panel.admin('p_hosting_shop_plan_save', plan)).toMatchObject({ success: true });
    expect(await panel.admin('p_hosting_shop_seen')).toMatchObject({ success: true });
    expect(await shop()).toEqual(['A plan on sale: Done', 'See your shop as a customer: Done']);
    await panel.disable('hosting_shop');
    expect(await shop()).toEqual(['Something to sell: To do']);
  });

  it('disappears once every step is complete', async () => {
    writePlugin(
      panel.dataDir,
      'all',
      functionPlugin(
        "svc.svc_add_action('dashboard.admin.steps', (steps) => steps.map((step) => ({ ...step, done: step.id !== " +
          "'mail' || globalThis.svcMail === true })), 99);",
      ),
    );
    await panel.enable('all');
    expect((await steps()).filter((step) => step.endsWith('To do'))).toEqual(['Email that reaches customers: To do']);
    Object.assign(globalThis, { svcMail: true });
    try {
      expect(await steps()).toEqual([]);
    } finally {
      Object.assign(globalThis, { svcMail: undefined });
    }
    const html = await (await panel.adminFetch('/admin/')).text();
    expect(html).not.toContain('ydkg');
  });
});

it('invalid plugin steps are dropped, and the last one with an id wins', () => {
  const step = { id: 'a', title: 'A', url: '/a', done: false };
  const given = [
    null,
    7,
    {},
    step,
    { ...step, id: 'B!' },
    { ...step, id: 'b', url: 'javascript:alert(1)' },
    { ...step, id: 'c', title: ' ' },
    { ...step, id: 'd', order: 1, done: 'true', operation: 'x"y', text: 7 },
    { ...step, title: 'A again', done: true },
  ];
  expect(toSetupSteps(given).map(({ id, title, done, operation, label }) => [id, title, done, operation, label])).toEqual([
    ['d', 'A', false, '', 'A'],
    ['a', 'A again', true, '', 'A again'],
  ]);
  for (const list of [undefined, null, 'steps', {}]) expect(toSetupSteps(list as never)).toEqual([]);
});
