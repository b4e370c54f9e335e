import { describe, expect, it } from 'vitest';

import { retried } from './mysql-retry.js';

const failure = (errno: number): Error => Object.assign(new Error('no'), { errno });

describe('a statement that fails', () => {
  it('is retried a few times after a deadlock', async () => {
    let tries = 0;
    expect(await retried(() => (++tries < 3 ? Promise.reject(failure(1213)) : Promise.resolve('done')))).toBe('done');
    expect(tries).toBe(3);
    tries = 0;
    await expect(retried(() => (tries++, Promise.reject(Object.assign(new Error(), { driverError: failure(1213) }))))).rejects.toThrow();
    expect(tries).toBe(5);
  });

  it('is not retried for any other reason', async () => {
    let tries = 0;
    await expect(retried(() => (tries++, Promise.reject(failure(1062))))).rejects.toMatchObject({ errno: 1062 });
    expect(tries).toBe(1);
  });
});
