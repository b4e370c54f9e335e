import { availableParallelism } from 'node:os';

import bcrypt from 'bcrypt';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { PasswordHasher } from './password-hasher.js';

afterEach(() => vi.restoreAllMocks());

const hasher = new PasswordHasher();

describe('PasswordHasher', () => {
  it('knows the password it hashed, and no other', async () => {
    const stored = await hasher.hash('密码 correct');
    expect(stored).toMatch(/^\$2[aby]\$10\$.{53}$/);
    expect(await hasher.hash('密码 correct')).not.toBe(stored);
    expect(await hasher.verify('密码 correct', stored)).toBe(true);
    for (const wrong of ['', '密码 correc', '密码 correct ', '密码 Correct', '密码 correct\0']) expect(await hasher.verify(wrong, stored)).toBe(false);
  });

  it('looks at every byte, behind byte 72 and behind NUL as well', async () => {
    const long = await hasher.hash(`${'a'.repeat(100)}1`);
    expect(await hasher.verify(`${'a'.repeat(100)}1`, long)).toBe(true);
    expect(await hasher.verify(`${'a'.repeat(100)}2`, long)).toBe(false);
    const cut = await hasher.hash('before\0after');
    expect(await hasher.verify('before\0other', cut)).toBe(false);
  });

  it('does the same work for an account that does not exist', async () => {
    const stored = await hasher.hash('right-1');
    const compare = vi.spyOn(bcrypt, 'compare');
    expect(await hasher.verify('right-1', null)).toBe(false);
    expect(await hasher.verify('wrong-1', stored)).toBe(false);
    const hashes = compare.mock.calls.map(([, hash]) => hash);
    expect(hashes).toHaveLength(2);
    // A hash that cannot be read would be refused at once, and the account told by the time.
    for (const hash of hashes) expect(hash).toMatch(/^\$2[aby]\$10\$[./A-Za-z0-9]{53}$/);
  });

  it('knows no password behind a hash that is none', async () => {
    for (const broken of ['', 'x', '$2b$10$short', '$2b$99$CwTycUXWue0Thq9StjUM0uJ8Wv6t0hXQ5cJkQyG8mQ3oE6w5yq1bS']) {
      expect(await hasher.verify('', broken)).toBe(false);
    }
  });

  it('leaves a core to everybody else, and finishes the queue also when a check fails', async () => {
    let running = 0;
    let most = 0;
    let checks = 0;
    vi.spyOn(bcrypt, 'compare').mockImplementation(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (++checks % 3 === 0) throw new Error('broken');
      return true;
    });
    const results = await Promise.all(Array.from({ length: 20 }, () => hasher.verify('x', 'y')));
    expect(results.filter(Boolean)).toHaveLength(14);
    expect(most).toBe(Math.max(1, availableParallelism() - 1));
  });
});
