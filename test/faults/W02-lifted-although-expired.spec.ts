import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { HostingService } from '../../src/hosting/index.js';
import { TestShop } from '../support/provisioning.js';

let shop: TestShop;
beforeAll(async () => {
  shop = await TestShop.start();
});
afterAll(() => shop.panel.close());
beforeEach(async () => {
  await shop.clear();
  expect(await shop.call('kt', { password: 'secret-1', dqtime: '2020-01-01', webdx: '500' })).toMatchObject({ code: 200 });
});

const pause = async (reason: string) => shop.panel.get(HostingService).pause((await shop.row())!.id, reason, 'cron');
const standing = async () => ({ state: (await shop.row())!.state, reasons: (await shop.row())!.pauseReasons });

describe('W2 a paid renewal of a host that has expired', () => {
  it("jc lifts the shop's pause, succeeds and says what is left; xf resumes the host", async () => {
    await pause('expiry');
    expect(await shop.call('zt')).toMatchObject({ code: 200 });
    expect(await shop.call('jc')).toEqual({ success: true, code: 200, msg: '主机暂停解除成功！主机已到期，续费后将恢复运行。' });
    expect(await standing()).toEqual({ state: 'paused', reasons: ['expiry'] });
    expect(await shop.call('xf', { setdate: '2099-01-01' })).toMatchObject({ code: 200 });
    expect(await standing()).toEqual({ state: 'active', reasons: [] });
    expect(await shop.events()).toEqual([
      ['host.created', 'api', 'bh1'],
      ['host.paused', 'cron'],
      ['host.renewed', 'api', '2099-01-01'],
      ['host.unpaused', 'api'],
    ]);
  });

  it("jc also succeeds when there was no shop's pause to lift, and the reverse order works as well", async () => {
    await pause('expiry');
    expect(await shop.call('jc')).toMatchObject({ code: 200 });
    await shop.call('zt');
    expect(await shop.call('xf', { setdate: '2099-01-01' })).toMatchObject({ code: 200 });
    expect(await standing()).toEqual({ state: 'paused', reasons: ['api'] });
    expect(await shop.call('jc')).toEqual({ success: true, code: 200, msg: '主机暂停解除成功！' });
    expect(await standing()).toEqual({ state: 'active', reasons: [] });
  });

  it.each(['admin', 'scan', 'quota', 'some-plugin'])('a pause for %s besides expiry is still no success', async (reason) => {
    await pause('expiry');
    await pause(reason);
    await shop.call('zt');
    expect(await shop.call('jc')).toMatchObject({ code: 100, msg: expect.stringContaining('其他原因') });
    expect(await standing()).toEqual({ state: 'paused', reasons: ['expiry', reason] });
  });
});
