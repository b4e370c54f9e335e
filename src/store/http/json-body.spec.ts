import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { SlowSenders } from '../../../test/support/slow-sender.js';

import { readJsonBody } from './json-body.js';

const DEADLINE_MS = 150;
const JSON_OF = (length: number) => ({ 'content-type': 'application/json', 'content-length': length });

let senders: SlowSenders;
/** Codes of what was refused. */
let refused: unknown[];
afterEach(() => senders.close());

async function serve(work: () => Promise<unknown> = async () => undefined): Promise<void> {
  refused = [];
  senders = await SlowSenders.start((req, res) => {
    readJsonBody(req, DEADLINE_MS)
      .then(async (body) => {
        await work();
        res.setHeader('connection', 'close').end(JSON.stringify(body));
      })
      .catch((error: unknown) => refused.push((error as { code?: string }).code));
  });
}

describe('a JSON body that does not come', () => {
  it('is waited for until its time is over, and its sender cut off', async () => {
    await serve();
    const [silent, half] = [senders.begin(JSON_OF(9)), senders.begin(JSON_OF(9)).send('{"a"')];
    expect(await Promise.all([silent.ended, half.ended])).toEqual(['', '']);
    await expect.poll(() => refused).toEqual(['BODY_MALFORMED', 'BODY_MALFORMED']);
  });

  it('gets no more time by coming bit by bit', async () => {
    await serve();
    const sender = senders.begin(JSON_OF(60_000)).send('{"a":"');
    sender.trickle('x', DEADLINE_MS / 10);
    expect(await sender.ended).toBe('');
    await expect.poll(() => refused).toEqual(['BODY_MALFORMED']);
  });

  it('is no reason to cut off who was in time, however long the answer takes', async () => {
    await serve(() => pause(3 * DEADLINE_MS));
    const sender = senders.begin(JSON_OF(7)).send('{"a"');
    sender.send(':1}');
    expect(await sender.ended).toMatch(/^HTTP\/1\.1 200 [^]*\{"a":1\}/);
    expect(refused).toEqual([]);
  });
});
