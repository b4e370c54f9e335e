/** A paid change of package on a panel that is killed: it is made once, whatever step the panel died at. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { DurableEvent, EventDelivery } from '../src/hooks/index.js';
import { HostingAccount } from '../src/hosting/index.js';
import { HostPayment } from '../src/packages/index.js';

import { CrashPlace } from './support/crash-place.js';
import { changeKiller, type ChangeStep } from './support/killers.js';
import { someMoments } from './support/moments.js';

describe('a paid change of package, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => {
    crash = await CrashPlace.create();
  });
  afterEach(() => crash.dispose());

  const STEPS: [string, ChangeStep][] = [
    ['before anybody is told', 'paid'],
    ['when all is done but the listeners have not said so', 'changed'],
  ];
  it.each(someMoments(STEPS))('%s, makes it once', { timeout: 120_000 }, async (_when, step) => {
    const first = await crash.start();
    const host = { btdh: 'local', user: 'crashed1', pass: 'a-password-of-my-own', datae: '2031-01-31' };
    const limits = { webkj: '10', sqlkj: '0', ll: '0', ymbds: '1' };
    expect(await first.admin.operate('admin', { gn: 'addzj', ...host, ...limits })).toMatchObject({ success: true });
    const [{ id: hostId }] = (await crash.database.repository(HostingAccount).find()) as [HostingAccount];
    await crash.enable(first.admin, changeKiller(step));
    const assigned = await first.admin.operate('admin', { gn: 'zjfptc', id: String(hostId), spid: 'killer:small' });
    expect(assigned).toMatchObject({ success: true });
    const made = await first.admin.operate('admin', { gn: 'zjbgdd', id: String(hostId), spid: 'killer:large', rmb: '9.90' });
    const { id } = made as unknown as { id: number };
    await first.admin.operate('admin', { gn: 'ddbz', id: String(id), yy: 'seen' }).catch(() => undefined);
    expect(await first.panel.ended).toBe('SIGKILL');

    await crash.endClaims();
    await crash.database.repository(EventDelivery).update({ state: 'running' }, { dueAt: new Date('2020-01-01T00:00:00Z') });
    await crash.recover();
    const delivered = async () =>
      (await crash.database.repository(EventDelivery).findBy({ listenerKey: 'core:order.paid:package' })).map(({ state }) => state);
    await expect.poll(delivered, { timeout: 60_000, interval: 300 }).toEqual(['done']);
    const [after] = await crash.database.repository(HostingAccount).find();
    expect(after).toMatchObject({ expiresOn: '2031-01-31', state: 'active', packageKey: 'killer:large', webQuotaMb: 50 });
    expect(await crash.database.repository(HostPayment).findBy({ orderId: id })).toMatchObject([
      { hostId, fen: 990, untilDay: '2031-01-31' },
    ]);
    // The assignment was one change, the paid one another.
    expect(await crash.database.repository(DurableEvent).countBy({ hook: 'host.package.changed' })).toBe(2);
  });
});
