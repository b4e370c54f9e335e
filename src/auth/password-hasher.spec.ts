import type { Worker } from 'node:worker_threads';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { HashThreads } from './hash-threads.js';
import { PASSWORD_COST, PasswordHasher } from './password-hasher.js';

afterEach(() => vi.restoreAllMocks());

const hasher = new PasswordHasher();
const { cost } = PasswordHasher;
beforeAll(() => void (PasswordHasher.cost = PASSWORD_COST));
afterAll(() => void (PasswordHasher.cost = cost));

describe('PasswordHasher', () => {
  it('verifies the hashed password and no other', async () => {
    const stored = await hasher.hash('密码 correct');
    expect(stored).toMatch(/^\$2[aby]\$10\$.{53}$/);
    expect(await hasher.hash('密码 correct')).not.toBe(stored);
    expect(await hasher.verify('密码 correct', stored)).toBe(true);
    for (const wrong of ['', '密码 correc', '密码 correct ', '密码 Correct', '密码 correct\0'])
      expect(await hasher.verify(wrong, stored)).toBe(false);
  });

  it('compares every byte, including those after byte 72 and after NUL', async () => {
    const long = await hasher.hash(`${'a'.repeat(100)}1`);
    expect(await hasher.verify(`${'a'.repeat(100)}1`, long)).toBe(true);
    expect(await hasher.verify(`${'a'.repeat(100)}2`, long)).toBe(false);
    const cut = await hasher.hash('before\0after');
    expect(await hasher.verify('before\0other', cut)).toBe(false);
  });

  it('does the same work for an account that does not exist', async () => {
    const stored = await hasher.hash('right-1');
    const run = vi.spyOn(HashThreads.prototype, 'run');
    expect(await hasher.verify('right-1', null)).toBe(false);
    expect(await hasher.verify('wrong-1', stored)).toBe(false);
    const hashes = run.mock.calls.map(([{ stored: hash }]) => hash);
    expect(hashes).toHaveLength(2);
    // A hash that cannot be read would be refused at once, and the account told by the time.
    for (const hash of hashes) expect(hash).toMatch(/^\$2[aby]\$10\$[./A-Za-z0-9]{53}$/);
  });

  it('verifies no password against an invalid hash', async () => {
    for (const broken of ['', 'x', '$2b$10$short', '$2b$99$CwTycUXWue0Thq9StjUM0uJ8Wv6t0hXQ5cJkQyG8mQ3oE6w5yq1bS']) {
      expect(await hasher.verify('', broken)).toBe(false);
    }
  });

  it('does not block the event loop and handles many requests concurrently', async () => {
    const stored = await hasher.hash('right-1');
    let turns = 0;
    let checking = true;
    const count = (): void => {
      turns += 1;
      if (checking) setImmediate(count);
    };
    setImmediate(count);
    const results = await Promise.all(Array.from({ length: 12 }, (_, i) => hasher.verify(i % 3 ? 'right-1' : 'wrong-1', stored)));
    checking = false;
    expect(results.filter(Boolean)).toHaveLength(8);
    expect(turns).toBeGreaterThan(50);
  });

  it('continues with new threads after its threads ended', async () => {
    const threads = new HashThreads();
    const endAll = () => Promise.all([...(threads as unknown as { all: Set<Worker> }).all].map((thread) => thread.terminate()));
    const task = { digest: 'x', stored: null, cost: 10 } as const;
    const waiting = Promise.allSettled([threads.run(task), threads.run(task)]);
    await endAll();
    expect((await waiting).map(({ status }) => status)).toContain('rejected');
    expect(await threads.run({ digest: 'x', stored: String(await threads.run(task)) })).toBe(true);
    await endAll();
  });
});
