/** Keys of servers are stored encrypted. Source: docs/operating.md "The key of the installation". */
import { expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { SealedPanelKeys1795639000000 } from '../../src/database/migrations/1795639000000-sealed-panel-keys.js';
import { SealedCallingKeys1795750000000 } from '../../src/database/migrations/1795750000000-sealed-calling-keys.js';
import { callingKey, CallingKeys, DriverNodes, DriverRegistry, HostingNode, type DriverNode } from '../../src/hosting/index.js';
import { createTestDatabase } from '../support/database.js';
import { FakeDriver } from '../support/fake-driver.js';
import { TestPanel } from '../support/panel.js';

const KEY = 'planted-panel-key-键';

/** Records the server it was asked about. */
class ToldDriver extends FakeDriver {
  asked: DriverNode | null = null;

  override probe(node?: DriverNode) {
    this.asked = node ?? null;
    return super.probe();
  }
}

it('an existing plain key is encrypted at startup, once, and its driver gets the original value', async () => {
  const panel = await TestPanel.start();
  try {
    const nodes = () => panel.get(Database).repository(HostingNode);
    await nodes().insert({
      code: 'far',
      codeKey: 'far',
      driver: 'fake',
      openKey: 'k',
      signatureKey: 'q',
      sealedPanelKey: KEY,
      createdAt: new Date(),
    });
    await panel.restart();
    const { id, sealedPanelKey } = await nodes().findOneByOrFail({ code: 'far' });
    expect(sealedPanelKey).toMatch(/^sealed:1:[\w-]+$/);
    expect(panel.get(DriverNodes).openKey(sealedPanelKey)).toBe(KEY);
    const driver = new ToldDriver();
    panel.get(DriverRegistry).register(driver);
    expect(await panel.admin('btztjc', { btid: String(id) })).toMatchObject({ success: true });
    expect(driver.asked).toMatchObject({ panelKey: KEY });
    const listed = await panel.admin('listbt', { limit: '10' });
    expect(listed.rows.map((row) => [(row as unknown as { btdh: string }).btdh, (row as unknown as { mysz: string }).mysz])).toEqual(
      expect.arrayContaining([
        ['far', 'true'],
        ['local', 'false'],
      ]),
    );
    expect(JSON.stringify(listed)).not.toMatch(/planted|sealed:/);
    await panel.restart();
    expect((await nodes().findOneByOrFail({ id })).sealedPanelKey).toBe(sealedPanelKey);
    // The same key again is no change; another one is stored without revealing it.
    expect(await panel.admin('xgjl', { id: String(id), key: 'planted-2', ip: '192.0.2.1' })).toMatchObject({ success: true });
    const row = await nodes().findOneByOrFail({ id });
    expect(panel.get(DriverNodes).openKey(row.sealedPanelKey)).toBe('planted-2');
  } finally {
    await panel.close();
  }
}, 60_000);

it('the longest key fits, and the downgrade keeps plain keys and removes encrypted ones', async () => {
  const { database, dispose } = await createTestDatabase();
  const migration = new SealedPanelKeys1795639000000();
  const runner = database.dataSource.createQueryRunner();
  try {
    const nodes = database.repository(HostingNode);
    const sealed = `sealed:1:${'A'.repeat(Math.ceil(((255 * 3 + 28) * 4) / 3))}`;
    for (const [code, sealedPanelKey] of [
      ['plain', KEY],
      ['sealed', sealed],
    ] as const)
      await nodes.insert({ code, codeKey: code, openKey: 'k', signatureKey: 'q', sealedPanelKey, createdAt: new Date() });
    const keys = async () => (await nodes.find({ order: { code: 'ASC' } })).map((node) => node.sealedPanelKey);
    expect(await keys()).toEqual([KEY, sealed]);
    await migration.down(runner);
    expect(await keys()).toEqual([KEY, '']);
    await migration.up(runner);
    expect(await keys()).toEqual([KEY, '']);
  } finally {
    await runner.release();
    await dispose();
  }
});

it('existing calling keys keep working once they are encrypted, and a server that lost its own gets another one', async () => {
  const panel = await TestPanel.start();
  try {
    const nodes = () => panel.get(Database).repository(HostingNode);
    const node = () => nodes().findOneByOrFail({ code: 'local' });
    const before = { openKey: 'planted-open', signatureKey: 'planted-sign' };
    const older = { openKey: 'planted-open-0', signatureKey: 'planted-sign-0' };
    const previous = {
      previousOpenKey: older.openKey,
      previousSignatureKey: older.signatureKey,
      previousUntil: new Date(Date.now() + 3_600_000),
    };
    await nodes().update({ code: 'local' }, { ...before, ...previous });
    await panel.restart();
    const kept = await node();
    for (const half of [kept.openKey, kept.signatureKey, kept.previousOpenKey, kept.previousSignatureKey])
      expect(half).toMatch(/^sealed:1:[\w-]+$/);
    const accepts = (given: string) => panel.get(CallingKeys).accepts(kept, given);
    expect([callingKey(before), callingKey(older), callingKey({ openKey: '', signatureKey: '' }), ''].map(accepts)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await panel.restart();
    expect(await node()).toEqual(kept);

    // The state after `svc secret-key renew`.
    await nodes().update({ code: 'local' }, { openKey: '', signatureKey: '', previousOpenKey: null, previousSignatureKey: null });
    const lost = await node();
    expect([panel.get(CallingKeys).of(lost), panel.get(CallingKeys).accepts(lost, callingKey({ openKey: '', signatureKey: '' }))]).toEqual([
      '',
      false,
    ]);
    await panel.restart();
    const fresh = panel.get(CallingKeys).of(await node());
    expect(fresh).toMatch(/^[0-9a-f]{32}$/);
    const listed = (await panel.admin('listbt', { limit: '10' })).rows as unknown as { btdh: string; dymy: string }[];
    expect(listed.find(({ btdh }) => btdh === 'local')!.dymy).toBe(fresh);
  } finally {
    await panel.close();
  }
}, 60_000);

it('the downgrade keeps calling keys in plain text, and gives a server with an encrypted key another one', async () => {
  const { database, dispose } = await createTestDatabase();
  const migration = new SealedCallingKeys1795750000000();
  const runner = database.dataSource.createQueryRunner();
  try {
    const nodes = database.repository(HostingNode);
    const until = new Date('2026-11-25T00:00:00Z');
    const sealed = `sealed:1:${'A'.repeat(80)}`;
    for (const [code, key, old] of [
      ['plain', 'k', 'o'],
      ['plain-now', 'k', sealed],
      ['sealed', sealed, sealed],
    ] as const)
      await nodes.insert({
        code,
        codeKey: code,
        openKey: key,
        signatureKey: key,
        previousOpenKey: old,
        previousSignatureKey: old,
        previousUntil: until,
        createdAt: until,
      });
    await migration.down(runner);
    const keys = async () =>
      (await nodes.find({ order: { id: 'ASC' } })).map((node) => [
        node.openKey,
        node.signatureKey,
        node.previousOpenKey,
        node.previousUntil,
      ]);
    const random = expect.stringMatching(/^[0-9a-f]{32}$/);
    const left = [
      ['k', 'k', 'o', until],
      ['k', 'k', null, null],
      [random, random, null, null],
    ];
    expect(await keys()).toEqual(left);
    await migration.up(runner);
    expect(await keys()).toEqual(left);
  } finally {
    await runner.release();
    await dispose();
  }
});
