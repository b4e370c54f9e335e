import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

const MADE = "{ id: '001', up: async (schema) => { await schema.createTable({ name: 'item', columns: [{ name: 'price', type: 'integer' }] }); await svc.db.run('INSERT INTO {item} (price) VALUES (?)', [1]); } }";
const plugin = (steps: string): string => functionPlugin(`
  await svc.db.migrate([${MADE}, ${steps}]);
  svc.svc_register_ajax('admin', 'p_migrating', async () => ({ code: 'ok', items: await svc.db.query('SELECT * FROM {item} ORDER BY id') }), 'admin');`);
const items = async (): Promise<unknown> => ((await panel.admin('p_migrating')) as unknown as { items: unknown }).items;

describe('P8 migration steps that fail', () => {
  it('leave neither data nor tables nor columns changed, and go on from the right step once they are mended', async () => {
    const failing = [
      "{ id: '002', up: async () => { await svc.db.run('UPDATE {item} SET price = 99'); throw new Error('after the update'); } }",
      "{ id: '002', up: async (schema) => { await schema.addColumn('item', { name: 'note', type: 'string', nullable: true }); await schema.createTable({ name: 'other', columns: [] }); await svc.db.run('UPDATE {item} SET price = 99'); throw new Error('after the tables'); } }",
    ];
    await panel.admin('plugin_install', { slug: 'migrating' }).catch(() => undefined);
    for (const step of failing) {
      writePlugin(panel.dataDir, 'migrating', plugin(step));
      await panel.admin('plugin_install', { slug: 'migrating' });
      expect((await panel.tryEnable('migrating')).code).toMatch(/after the (?:update|tables)/);
      writePlugin(panel.dataDir, 'migrating', plugin(''));
      await panel.enable('migrating');
      expect(await items()).toEqual([{ id: 1, price: 1 }]);
      await panel.disable('migrating');
    }
    writePlugin(panel.dataDir, 'migrating', plugin(failing[1]!.replace(/throw new Error\([^)]*\);/, '')));
    await panel.enable('migrating');
    expect(await items()).toEqual([{ id: 1, price: 99, note: null }]);
  });
});
