import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startTestPanel, type TestPanel } from '@svc/sdk/testing';

let panel: TestPanel;
before(async () => {
  panel = await startTestPanel();
  await panel.installPlugin('.');
});
after(() => panel.close());

test('its page greets everybody', async () => {
  const answer = await (await panel.as('nobody')).get('/__name__');
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /__name__/);
});

test('it leaves nothing behind when it is switched off', () => panel.expectNoTrace('__name__'));
