import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { SlowSenders, type SlowSender } from '../../../test/support/slow-sender.js';
import { BodyAdmission, BodyPace } from '../../http/index.js';
import { IncomingPackages, type DigestedFile } from '../packages/index.js';

import { readFileForm } from './multipart.js';
import type { StoreRequest } from '../call/store-call.js';

const IDLE_MS = 500;
const START =
  '--x\r\nContent-Disposition: form-data; name="version"\r\n\r\n1.0\r\n--x\r\nContent-Disposition: form-data; ' +
  'name="zipfile"; filename="a.zip"\r\n\r\n';
const END = '\r\n--x--\r\n';

let folder: string;
let senders: SlowSenders;
let refused: unknown[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-multipart-'));
  refused = [];
});
afterEach(async () => {
  await senders.close();
  await rm(folder, { recursive: true, force: true });
});

/** Takes forms in; `work` comes after, as looking through a package does. */
async function serve(work: () => Promise<unknown> = async () => undefined): Promise<void> {
  const incoming = new IncomingPackages(folder);
  const admission = new BodyAdmission(Object.assign(new BodyPace(), { idleMs: IDLE_MS, leastBytesPerSecond: 1 }));
  senders = await SlowSenders.start((req: StoreRequest, res) => {
    req.admit = (limit) => admission.open(req, { limit, sender: { kind: 'account', who: 'store 1' } });
    readFileForm<DigestedFile>(req, {
      field: 'zipfile',
      maxBytes: 1_000_000,
      tooLarge: () => new Error('too large'),
      inMemory: false,
      receive: ({ stream }, signal) => incoming.receive(stream, { signal }),
      discard: (file) => incoming.discard(file),
    })
      .then(async ({ fields, file }) => {
        await work();
        res.setHeader('connection', 'close').end(`${fields.version} ${(await readFile(file!.path)).toString()}`);
      })
      .catch((error: unknown) => refused.push((error as { code?: string }).code));
  });
}
const begin = (): SlowSender => senders.begin({ 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' });
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

describe('a form whose sender stops sending', () => {
  it.each([
    ['before its first byte', []],
    ['in its fields', [START.slice(0, 40)]],
    ['in its file', [START, 'half of a file']],
  ])('is aborted %s, leaving no files behind', async (_when, parts) => {
    await serve();
    const sender = begin();
    for (const part of parts) sender.send(chunk(part));
    expect(await sender.ended).toBe('');
    await expect.poll(() => refused).toEqual(['BODY_ABORTED']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is accepted if it is only slow', async () => {
    await serve();
    const sender = begin().send(chunk(START));
    const { stop } = sender.trickle(chunk('a'), IDLE_MS / 10);
    await pause(2 * IDLE_MS);
    stop();
    sender.send(`${chunk(END)}0\r\n\r\n`);
    expect(await sender.ended).toMatch(/^HTTP\/1\.1 200 [^]*1\.0 a{5,}/);
    expect(refused).toEqual([]);
  });

  it('has no timeout once it is complete: its processing may take longer', async () => {
    await serve(() => pause(2 * IDLE_MS));
    const sender = begin().send(`${chunk(`${START}file${END}`)}0\r\n\r\n`);
    expect(await sender.ended).toMatch(/^HTTP\/1\.1 200 [^]*1\.0 file/);
  });
});
