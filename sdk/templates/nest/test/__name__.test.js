import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startTestPanel } from '@svc/sdk/testing';

let panel;
before(async () => {
  panel = await startTestPanel();
  await panel.installPlugin('.');
});
after(() => panel.close());

test('its route counts visits', async () => {
  const nobody = await panel.as('nobody');
  assert.deepEqual(await (await nobody.get('/__name__')).json(), { servers: 1, visits: 1 });
  assert.deepEqual(await (await nobody.get('/__name__')).json(), { servers: 1, visits: 2 });
});

test('it leaves nothing behind when it is switched off', () => panel.expectNoTrace('__name__'));
