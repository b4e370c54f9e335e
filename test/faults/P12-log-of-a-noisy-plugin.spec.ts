import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createMigratedPlace, type TestPlace } from '../support/database.js';
import { PanelProcess } from '../support/panel-process.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let place: TestPlace;
let panel: PanelProcess;
beforeAll(async () => {
  place = await createMigratedPlace();
  panel = await PanelProcess.start(place.dataDir, place.databaseUrl);
});
afterAll(async () => {
  await panel?.stop();
  await place?.dispose();
});

const linesOf = (slug: string): string[] => panel.log.split('\n').filter((line) => line.includes(`"plugin":"${slug}"`));

describe('P12 the log of a noisy plugin', () => {
  it('is limited to a hundred lines in ten seconds, and the panel can still log', async () => {
    writePlugin(
      place.dataDir,
      'chatty',
      functionPlugin(
        "svc.svc_register_ajax('admin', 'p_chatty', () => { for (let n = 0; n < 5000; n += 1) svc.log.info('line ' + " +
          "n); return { code: 'said' }; }, 'admin');",
      ),
    );
    await panel.admin('plugin_install', { slug: 'chatty' });
    await panel.enable('chatty');
    expect(await panel.admin('p_chatty')).toMatchObject({ code: 'said' });
    await panel.admin('plugin_enable', { slug: 'chatty', enabled: 'false' });
    await expect
      .poll(() => panel.log.includes('5000 lines') || /\d+ lines of plugin chatty were dropped/.test(panel.log), { timeout: 15_000 })
      .toBe(true);
    expect(linesOf('chatty').length).toBeLessThanOrEqual(200);
    const left = Number(/(\d+) lines of plugin chatty were dropped/.exec(panel.log)?.[1]);
    expect(left).toBeGreaterThan(4_800);
    const {
      log_lines: lines,
      log_bytes: bytes,
      log_left_out: leftOut,
      activity,
    } = (await panel.row('chatty')) as unknown as Record<string, number>;
    expect([lines! >= 100, lines! <= 200, bytes! > 5_000, leftOut! >= left]).toEqual([true, true, true, true]);
    expect(activity).toContain(`${lines} 行`);
    expect(await panel.page('/admin/plugin-calls?slug=chatty')).toMatch(new RegExp(`id="plugin-log">[^<]* ${leftOut} 行`));
    await panel.page('/admin/plugins');
    await expect.poll(() => panel.log.includes('/admin/plugins')).toBe(true);
  });

  it('a timer that throws every millisecond is disabled with the reason, and logs only a few lines', async () => {
    writePlugin(place.dataDir, 'thrower', functionPlugin("setInterval(() => { throw new Error('again'); }, 1);"));
    await panel.admin('plugin_install', { slug: 'thrower' });
    await panel.admin('plugin_enable', { slug: 'thrower', enabled: 'true' });
    await expect.poll(async () => (await panel.row('thrower'))?.status).toBe('quarantined');
    expect((await panel.row('thrower'))?.error).toMatch(/定时器或事件监听函数: again/);
    const seen = linesOf('thrower').length;
    expect(seen).toBeLessThanOrEqual(110);
    expect(await panel.page('/admin/')).toMatch(/id="banner-quarantine-thrower"[^]*data-ajax="plugin_retry"/);
    expect(panel.running).toBe(true);
  });
});
