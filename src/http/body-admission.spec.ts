import { request, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RequestServers } from '../../test/support/request-servers.js';
import { SlowSenders, type SlowSender } from '../../test/support/slow-sender.js';

import { BodyAdmission } from './body-admission.js';
import { SMALL_BODY_BYTES } from './body-intake.js';
import { BodyPace } from './body-pace.js';
import type { Sender } from './memory-budget.js';

const MEBIBYTE = 1024 * 1024;
const stranger = (who = '192.0.2.1'): Sender => ({ kind: 'stranger', who });
const servers = new RequestServers();
let admission: BodyAdmission;
beforeEach(() => {
  admission = new BodyAdmission(new BodyPace());
});
afterEach(async () => {
  admission.pace.onModuleDestroy();
  await servers.close();
});

const code = (error: string): unknown => expect.objectContaining({ name: 'BodyError', code: error });
const read = (limit: number, sender?: Sender) => (req: IncomingMessage) => admission.read(req, { limit, sender });

describe('reading a body', () => {
  it('accepts bodies up to the limit, in one chunk or many', async () => {
    for (const size of [0, 1, 5_000, 300_000]) {
      const { url, result } = await servers.serve(read(300_000, stranger()));
      await fetch(url, { method: 'POST', body: Buffer.alloc(size, 'x') });
      expect((await result).equals(Buffer.alloc(size, 'x'))).toBe(true);
    }
  });

  it('preserves the content of many small chunks', async () => {
    const { url, result } = await servers.serve(read(30_000, stranger()));
    const client = request(url, { method: 'POST' });
    const text = Array.from({ length: 2_000 }, (_none, i) => `piece ${i};`);
    for (const [i, piece] of text.entries()) {
      client.write(piece);
      if (i % 100 === 0) await pause(0);
    }
    client.end('x'.repeat(3_000));
    expect((await result).toString()).toBe(text.join('') + 'x'.repeat(3_000));
  });

  it('rejects by the declared length before data arrives', async () => {
    const { url, result } = await servers.serve(read(10));
    const client = request(url, { method: 'POST', headers: { 'content-length': 11 } });
    client.on('error', () => undefined);
    client.end('x'.repeat(11));
    await expect(result).rejects.toEqual(code('BODY_TOO_LARGE'));
  });

  it('rejects a body without a declared length once it is too large', async () => {
    const { url, result } = await servers.serve(read(10));
    const client = request(url, { method: 'POST' });
    client.on('error', () => undefined);
    client.end('x'.repeat(11));
    await expect(result).rejects.toEqual(code('BODY_TOO_LARGE'));
  });

  it('rejects when the client disconnects', async () => {
    const { url, result } = await servers.serve((req) => {
      req.once('data', () => client.destroy());
      return read(100)(req);
    });
    const client = request(url, { method: 'POST', headers: { 'content-length': 50 } });
    client.on('error', () => undefined);
    client.write('half');
    await expect(result).rejects.toEqual(code('BODY_ABORTED'));
  });

  it('rejects a body that was already read', async () => {
    const { url, result } = await servers.serve(async (req) => {
      await read(100)(req);
      return read(100)(req);
    });
    await fetch(url, { method: 'POST', body: 'x' });
    await expect(result).rejects.toEqual(code('BODY_ABORTED'));
  });
});

describe('memory limits of bodies', () => {
  const holding = (sender: Sender, bytes: number) => {
    const holding = admission.budget.open(sender);
    expect(holding.take(bytes)).toBeNull();
    return holding;
  };

  it('counts received bytes until the request is done, and releases rejected bodies', async () => {
    const { url, result } = await servers.serve(read(MEBIBYTE, stranger()));
    await fetch(url, { method: 'POST', body: Buffer.alloc(100_000) });
    await result;
    expect(admission.budget.taken('stranger')).toBe(100_000 - SMALL_BODY_BYTES);

    let seen: IncomingMessage;
    const second = await servers.serve((req) => read(50_000, stranger())((seen = req)));
    await fetch(second.url, { method: 'POST', body: Buffer.alloc(100_000) }).catch(() => undefined);
    await expect(second.result).rejects.toEqual(code('BODY_TOO_LARGE'));
    expect(admission.budget.taken('stranger')).toBe(100_000 - SMALL_BODY_BYTES);
    admission.done(seen!);
    expect(admission.budget.taken('stranger')).toBe(100_000 - SMALL_BODY_BYTES);
  });

  it('does not reserve memory for declared but unsent bytes', async () => {
    const senders = await SlowSenders.start((req) => void read(16 * MEBIBYTE, stranger())(req).catch(() => undefined));
    for (let i = 0; i < 20; i += 1) senders.begin({ 'content-length': 16 * MEBIBYTE });
    const { url, result } = await servers.serve(read(16 * MEBIBYTE, stranger()));
    await fetch(url, { method: 'POST', body: Buffer.alloc(MEBIBYTE) });
    expect((await result).length).toBe(MEBIBYTE);
    await senders.close();
  });

  it('always accepts small bodies, and rejects larger ones with Retry-After when memory is used up', async () => {
    holding(stranger(), 8 * MEBIBYTE);
    const small = await servers.serve(read(MEBIBYTE, stranger()));
    await fetch(small.url, { method: 'POST', body: Buffer.alloc(SMALL_BODY_BYTES) });
    expect((await small.result).length).toBe(SMALL_BODY_BYTES);
    const large = await servers.serve(read(MEBIBYTE, stranger()));
    await fetch(large.url, { method: 'POST', body: Buffer.alloc(SMALL_BODY_BYTES + 1) }).catch(() => undefined);
    await expect(large.result).rejects.toMatchObject({ code: 'BODY_BUSY', params: { seconds: 20 }, shape: { status: 503 } });
  });

  it('limits one sender to one large body or half of it with several, and never grants all that is left', () => {
    const { budget } = admission;
    const lone = holding(stranger('a'), 16 * MEBIBYTE);
    expect(lone.take(1)).toBe('own');
    expect(budget.open(stranger('a')).take(1)).toBe('own');
    // Never more than half of the remainder, so that the next sender still finds some.
    const second = budget.open(stranger('b'));
    expect([second.take(9 * MEBIBYTE), second.take(8 * MEBIBYTE)]).toEqual(['all', null]);
    const third = budget.open(stranger('c'));
    expect([third.take(5 * MEBIBYTE), third.take(4 * MEBIBYTE)]).toEqual(['all', null]);
    lone.release();
    expect(budget.open(stranger('d')).take(9 * MEBIBYTE)).toBeNull();
  });

  it('keeps the pools of strangers, accounts and administrators separate', () => {
    const { budget } = admission;
    for (const who of ['a', 'b', 'c', 'd', 'e', 'f']) {
      for (const kind of ['stranger', 'account'] as const) {
        const share = budget.open({ kind, who });
        while (share.take(256 * 1024) === null);
      }
    }
    expect(budget.open({ kind: 'account', who: 'late' }).take(8 * MEBIBYTE)).toBe('all');
    expect(budget.open({ kind: 'administrator', who: 'admin 1' }).take(64 * MEBIBYTE)).toBeNull();
  });
});

describe('minimum speed of bodies', () => {
  const GRACE_MS = 200;
  let senders: SlowSenders;
  let refused: unknown[];
  afterEach(() => senders.close());

  async function slow(
    idleMs: number,
    work: () => Promise<unknown> = async () => undefined,
  ): Promise<(headers?: Record<string, number | string>) => SlowSender> {
    refused = [];
    Object.assign(admission.pace, { graceMs: GRACE_MS, idleMs, leastBytesPerSecond: 1_000 });
    senders = await SlowSenders.start((req, res) => {
      read(
        MEBIBYTE,
        stranger(),
      )(req)
        .then(async (body) => {
          await work();
          res.setHeader('connection', 'close').end(body.toString());
        })
        .catch((error: unknown) => refused.push((error as { code?: string }).code));
    });
    return (headers = { 'content-length': 60_000 }) => senders.begin(headers);
  }

  it('disconnects a silent sender, before and after the first byte', async () => {
    const begin = await slow(100);
    const ended = [begin(), begin().send('x'.repeat(59_999))].map((sender) => sender.ended);
    expect(await Promise.all(ended)).toEqual(['', '']);
    await expect.poll(() => refused).toEqual(['BODY_ABORTED', 'BODY_ABORTED']);
    expect(admission.budget.taken('stranger')).toBe(0);
  });

  it('disconnects a sender below the minimum speed after the grace period', async () => {
    const begin = await slow(60_000);
    const sender = begin().send('y');
    sender.trickle('x', GRACE_MS / 10);
    expect(await sender.ended).toBe('');
    await expect.poll(() => refused).toEqual(['BODY_ABORTED']);
  });

  it('accepts a slow sender above the minimum speed, and does not limit processing after the body', async () => {
    const begin = await slow(60_000, () => pause(3 * GRACE_MS));
    const sender = begin({ 'transfer-encoding': 'chunked' });
    const chunk = `64\r\n${'x'.repeat(100)}\r\n`;
    const { stop } = sender.trickle(chunk, GRACE_MS / 10);
    await pause(2 * GRACE_MS);
    stop();
    sender.send('0\r\n\r\n');
    expect(await sender.ended).toMatch(/^HTTP\/1\.1 200 [^]*x{500}/);
    expect(refused).toEqual([]);
  });
});
