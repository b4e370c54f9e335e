import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startTestPanel, type TestPanel } from '@svc/sdk/testing';

let panel: TestPanel;
before(async () => {
  panel = await startTestPanel();
  await panel.installPlugin('.');
});
after(() => panel.close());

test('it runs', async () => {
  const admin = await panel.as('admin');
  const { rows } = await admin.run('plugin_list');
  const own = (rows as { slug: string; status: string }[]).find(({ slug }) => slug === '__name__');
  assert.equal(own?.status, 'active');
});

test('it leaves nothing behind when it is switched off', () => panel.expectNoTrace('__name__'));
