import * as bcrypt from '@node-rs/bcrypt';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { PasswordHasher } from './password-hasher.js';

vi.mock('@node-rs/bcrypt', async (original) => {
  const real = await original<typeof bcrypt>();
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) };
});
afterEach(() => vi.clearAllMocks());

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
    vi.mocked(bcrypt.verify).mockClear();
    expect(await hasher.verify('right-1', null)).toBe(false);
    expect(await hasher.verify('wrong-1', stored)).toBe(false);
    const { calls, results } = vi.mocked(bcrypt.verify).mock;
    expect(calls).toHaveLength(2);
    // A hash that cannot be read would be refused at once, and the account told by the time.
    expect(await Promise.all(results.map((result) => result.value))).toEqual([false, false]);
    expect(String(calls[0]![1]).slice(0, 7)).toBe(String(calls[1]![1]).slice(0, 7));
    expect(String(calls[0]![1])).toHaveLength(60);
  });

  it('knows no password behind a hash that is none', async () => {
    for (const broken of ['', 'x', '$2b$10$short', '$2b$99$CwTycUXWue0Thq9StjUM0uJ8Wv6t0hXQ5cJkQyG8mQ3oE6w5yq1bS']) {
      expect(await hasher.verify('', broken)).toBe(false);
    }
  });

  it('leaves a core to everybody else, and finishes the queue also when a check fails', async () => {
    let running = 0;
    let most = 0;
    vi.mocked(bcrypt.verify).mockImplementation(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (most > 0 && running === 0) throw new Error('broken');
      return true;
    });
    const { availableParallelism } = await import('node:os');
    const results = await Promise.all(Array.from({ length: 20 }, () => hasher.verify('x', 'y')));
    expect(results).toHaveLength(20);
    expect(most).toBe(Math.max(1, availableParallelism() - 1));
  });
});
