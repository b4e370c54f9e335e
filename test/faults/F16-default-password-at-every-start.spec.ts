import { afterAll, describe, expect, it } from 'vitest';

import { startPanel } from '../support/start-panel.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { startMessage } from '../../src/app/start-message.js';
import { createTestPlace, type TestPlace } from '../support/database.js';
import { PanelClient } from '../support/panel-client.js';
import { StoreClient } from '../support/store.js';

const LINE = 'The published default password is still in use.';

let place: TestPlace;
afterAll(() => place.dispose());

/** Starts a panel in the folder and returns its output. */
async function started(
  work: (url: string) => Promise<unknown> = () => Promise.resolve(),
  env: NodeJS.ProcessEnv = {},
): Promise<{ text: string; url: string }> {
  const config = new AppConfig({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl,
    PORT: '0',
    SITES_PORT: '0',
    CAPTCHA: 'off',
    ...env,
  });
  const panel = await startPanel(config);
  try {
    await work(panel.url);
    return { text: startMessage(config, panel).join('\n'), url: panel.url };
  } finally {
    await panel.close();
  }
}

describe('F16 the default password is announced at every start', () => {
  // Five starts, one after another.
  it('until it is changed in panel and store', { timeout: 120_000 }, async () => {
    place = await createTestPlace();
    const first = await started();
    expect(first.text).toContain(`Password:      ${DEFAULT_ADMIN_PASSWORD}`);
    expect(first.text).toContain(LINE);

    const second = await started(async (url) => {
      const admin = await new PanelClient(url).login('admin', 'admin', DEFAULT_ADMIN_PASSWORD);
      expect(
        (await admin.ajax('admin', { gn: 'gl', yuser: 'admin', ypass: DEFAULT_ADMIN_PASSWORD, xpass: 'changed-secret' })).json,
      ).toMatchObject({ success: true });
    });
    expect(second.text).toContain(LINE);
    expect(second.text).toContain(`${second.url}/admin/settings?tab=account (admin of the panel)`);
    expect(second.text).toContain(`${second.url}/store/account (admin of the store)`);
    expect(second.text).not.toContain('Password: ');

    // When it is refused, the line says how to get in.
    const exposed = await started(undefined, { CAPTCHA: 'svg', BASE_URL: 'https://panel.example.com' });
    expect(exposed.text).toContain('It is not accepted, because the host of BASE_URL is not a loopback address.');
    expect(exposed.text).not.toContain('of the panel)');

    await started(async (url) => {
      const admin = new StoreClient(url);
      await admin.login('admin', DEFAULT_ADMIN_PASSWORD);
      expect(
        await admin.call('PUT', '/auth/password', { oldPassword: DEFAULT_ADMIN_PASSWORD, newPassword: 'changed-secret' }),
      ).toMatchObject({ status: 200 });
    });
    expect((await started()).text).not.toContain(LINE);
  });
});
