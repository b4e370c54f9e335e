import { after, before, test } from 'node:test';

import { startTestPanel, type TestPanel } from '@svc/sdk/testing';

let panel: TestPanel;
before(async () => {
  panel = await startTestPanel();
});
after(() => panel.close());

// Renders every view of the theme's sides, with sample values in both languages and with malicious values.
test('it shows every view, and escapes what people write', async () => {
  await panel.expectSoundTheme(await panel.installTheme('.'));
});
