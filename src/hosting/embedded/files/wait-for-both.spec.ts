import { describe, expect, it } from 'vitest';

import { FileProblem } from '../../driver/index.js';

import { waitForBoth } from './wait-for-both.js';

const failed = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));

describe('waitForBoth', () => {
  it('waits for both ends', async () => {
    let done = false;
    const slow = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => void (done = true));
    await expect(waitForBoth(failed('EIO'), slow)).rejects.toMatchObject({ code: 'EIO' });
    expect(done).toBe(true);
    await expect(waitForBoth(Promise.resolve(), slow)).resolves.toBeUndefined();
  });

  it('fails with the error meant for people, otherwise the system’s, in any order', async () => {
    const closed = (): Promise<never> => failed('ERR_STREAM_PREMATURE_CLOSE');
    await expect(waitForBoth(closed(), failed('ENOSPC'))).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(waitForBoth(failed('ENOSPC'), closed())).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(waitForBoth(failed('ENOSPC'), Promise.reject(new FileProblem('NO_SPACE')))).rejects.toMatchObject({ code: 'NO_SPACE' });
    await expect(waitForBoth(closed(), Promise.reject(new TypeError('none')))).rejects.toMatchObject({
      code: 'ERR_STREAM_PREMATURE_CLOSE',
    });
  });
});
