import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelClient } from '../support/panel-client.js';
import { PanelProcess } from '../support/panel-process.js';

let place: TestPlace;
let panel: PanelProcess;

beforeAll(async () => {
  place = await createMigratedPlace();
  panel = await PanelProcess.start(place.dataDir, place.databaseUrl);
});
afterAll(async () => {
  await panel.stop();
  await place.dispose();
});

describe('the process log', () => {
  it('contains the requests that carried passwords, keys and tokens, but none of these', async () => {
    const { id } = (await panel.admin('addzj', { btdh: 'local', user: 'alice001', pass: 'planted-host-pass' })) as unknown as {
      id: number;
    };
    const { rows } = (await panel.admin('listbt')) as unknown as { rows: { id: string; dymy: string }[] };
    await panel.admin('zjczmm', { id: String(id), pass: 'planted-next-pass' });
    await panel.admin('xgjl', { id: rows[0]!.id, key: 'planted-panel-key' });
    const { url } = (await panel.admin('zjdl', { id: String(id) })) as unknown as { url: string };
    const visitor = new PanelClient(panel.url);
    expect((await visitor.send(url.slice(panel.url.length))).status).toBe(302);
    const session = visitor.cookies.get('user_token')!;
    expect((await visitor.send(url.slice(panel.url.length))).status).toBe(403);
    expect((await visitor.send('/user/idcdl.php?gn=logine&username=alice001&password=planted-wrong-pass')).status).toBe(403);
    expect((await visitor.send('/user/idcdl.php?gn=logine&username=alice001&password=planted-next-pass')).status).toBe(302);
    const { dymy } = (await panel.admin('btmygx', { id: rows[0]!.id })) as unknown as { dymy: string };
    await visitor.send('/api/api.php?gn=cfif&svc_key=planted-api-key', {
      method: 'POST',
      body: new URLSearchParams({ svc_bh: 'local', svc_key: 'planted-api-key', svc_keye: rows[0]!.dymy, svc_vs: '15', username: 'test' }),
    });
    await visitor.send('/user/last');
    await vi.waitFor(() => expect(panel.log).toContain('"/user/last"'), { timeout: 20_000 });
    expect(panel.log).toContain('"/user/dl.php"');
    expect(panel.log).toContain('"/user/idcdl.php"');
    for (const secret of ['planted-', new URL(url).searchParams.get('t')!, session, dymy, rows[0]!.dymy])
      expect([secret, panel.log.includes(secret)]).toEqual([secret, false]);
  });
});
