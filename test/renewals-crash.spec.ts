/** A paid renewal on a panel that is killed: the day moves once, whatever step the panel died at. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { DurableEvent, EventDelivery } from '../src/hooks/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { Renewal } from '../src/renewal/index.js';

import { CrashPlace } from './support/crash-place.js';
import { renewalKiller, type RenewalStep } from './support/killers.js';
import { someMoments } from './support/moments.js';

describe('a paid renewal, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => {
    crash = await CrashPlace.create();
  });
  afterEach(() => crash.dispose());

  const STEPS: [string, RenewalStep][] = [
    ['before anybody is told', 'paid'],
    ['before the server is told', 'before'],
    ['when the server knows and the row does not', 'after'],
    ['when all is done but the listener has not said so', 'renewed'],
  ];
  const isBeforeTheServer = ([, step]: (typeof STEPS)[number]) => step === 'paid' || step === 'before';
  it.each(someMoments(STEPS, isBeforeTheServer))('%s, moves the day once', { timeout: 120_000 }, async (_when, step) => {
    const first = await crash.start();
    const added = await first.admin.operate('admin', {
      gn: 'addzj',
      btdh: 'local',
      user: 'crashed1',
      pass: 'a-password-of-my-own',
      datae: '2031-01-31',
      webkj: '10',
      sqlkj: '0',
      ll: '0',
      ymbds: '1',
    });
    expect(added).toMatchObject({ success: true });
    const [{ id: hostId }] = (await crash.database.repository(HostingAccount).find()) as [HostingAccount];
    const made = await first.admin.operate('admin', { gn: 'zjxfdd', id: String(hostId), zq: '1', rmb: '9.90' });
    const { id } = made as unknown as { id: number };
    await crash.enable(first.admin, renewalKiller(step));
    await first.admin.operate('admin', { gn: 'ddbz', id: String(id), yy: 'seen' }).catch(() => undefined);
    expect(await first.panel.ended).toBe('SIGKILL');

    await crash.endClaims();
    await crash.database.repository(EventDelivery).update({ state: 'running' }, { dueAt: new Date('2020-01-01T00:00:00Z') });
    await crash.recover();
    const delivered = async () =>
      (await crash.database.repository(EventDelivery).findBy({ listenerKey: 'core:order.paid:renewal' })).map(({ state }) => state);
    await expect.poll(delivered, { timeout: 60_000, interval: 300 }).toEqual(['done']);
    const [host] = await crash.database.repository(HostingAccount).find();
    expect(host).toMatchObject({ expiresOn: '2031-02-28', state: 'active' });
    expect(await crash.database.repository(Renewal).find()).toMatchObject([{ orderId: id, oldDay: '2031-01-31', newDay: '2031-02-28' }]);
    expect(await crash.database.repository(DurableEvent).countBy({ hook: 'host.renewed' })).toBe(1);
  });
});
