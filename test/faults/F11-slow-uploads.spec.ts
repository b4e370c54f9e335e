import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { BodyPace } from '../../src/http/index.js';
import { StalledClients } from '../support/stalled-clients.js';
import { filesIn, formOf, pluginZip, submit } from '../support/store-packages.js';
import { TestStore, type StoreClient } from '../support/store.js';

const START = '--x\r\nContent-Disposition: form-data; name="zipfile"; filename="a.zip"\r\n\r\n';

let store: TestStore;
let drippers: StoreClient[];
let [other, admin]: StoreClient[] = [];
beforeAll(async () => {
  store = await TestStore.start();
  drippers = await Promise.all(['Alice', 'Bob', 'Dan', 'Eve'].map((name) => store.member(name)));
  [other, admin] = [await store.member('Carol'), await store.member('Root', 'admin')];
  // The defaults, except for the time.
  Object.assign(store.provider(BodyPace), { graceMs: 1_500, idleMs: 3_000 });
});
afterAll(() => store.close());

const validate = async (client: StoreClient): Promise<number> => {
  const form = formOf({ type: 'plugin', slug: 'fine' }, await pluginZip('fine'));
  return (await client.call('POST', '/developer/validate', form)).status;
};

describe('F11 slow uploads', () => {
  it('32 slow clients keep their slots only for a moment, and none of the administrator’s', async () => {
    const port = Number(new URL(store.url).port);
    const stalled = await Promise.all(
      drippers.map(({ cookie }) =>
        StalledClients.open(port, 8, {
          path: '/api/developer/validate',
          headers: { 'content-type': 'multipart/form-data; boundary=x', cookie },
          sent: Buffer.from(START),
          declared: 1_000_000,
        }),
      ),
    );
    const dripping = stalled.map((clients) => clients.drip(50));
    try {
      await expect.poll(() => filesIn(store, 'incoming').length, { timeout: 5_000 }).toBe(32);
      expect(await validate(other!)).toBe(503);
      expect(await validate(admin!)).toBe(200);
      await expect.poll(() => stalled.reduce((sum, { open }) => sum + open, 0), { timeout: 10_000 }).toBe(0);
      await expect.poll(() => filesIn(store, 'incoming'), { timeout: 5_000 }).toEqual([]);
      expect(await submit(other!, 'mine')).toMatchObject({ status: 200 });
    } finally {
      dripping.forEach((stop) => stop());
      stalled.forEach((clients) => clients.close());
    }
  });

  it('a slow but fast enough upload succeeds', async () => {
    const zip = await pluginZip('slow-one');
    const head =
      '--x\r\nContent-Disposition: form-data; ' +
      'name="type"\r\n\r\nplugin\r\n--x\r\nContent-Disposition: form-data; ' +
      `name="slug"\r\n\r\nslow-one\r\n${START}`;
    const bytes = Buffer.concat([Buffer.from(head), zip, Buffer.from('\r\n--x--\r\n')]);
    // Three seconds at more than the minimum speed after the grace period.
    const body = new ReadableStream({
      async start(controller) {
        const step = Math.ceil(bytes.length / 20);
        for (let i = 0; i < bytes.length; i += step) {
          controller.enqueue(new Uint8Array(bytes.subarray(i, i + step)));
          await pause(150);
        }
        controller.close();
      },
    });
    Object.assign(store.provider(BodyPace), { leastBytesPerSecond: Math.floor(bytes.length / 6) });
    const response = await fetch(`${store.url}/api/developer/validate`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'multipart/form-data; boundary=x', cookie: other!.cookie },
    } as RequestInit);
    expect(response.status).toBe(200);
  });
});
