import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { UploadBudget } from './upload-budget.js';

const MEBIBYTE = 1024 * 1024;
const request = (bytes?: number): IncomingMessage => ({ headers: bytes === undefined ? {} : { 'content-length': String(bytes) } }) as IncomingMessage;

describe('the budget of bodies with files', () => {
  it('lets in what fits, and more once that is done, also when it failed', async () => {
    const budget = new UploadBudget();
    let finish!: () => void;
    const under = new Promise<void>((resolve) => (finish = resolve));
    const first = budget.read(request(16 * MEBIBYTE), false, {}, () => under);
    const second = budget.read(request(), false, {}, async () => {
      await under;
      throw new Error('broken');
    });
    await expect(budget.read(request(1), false, {}, async () => 'in')).rejects.toMatchObject({ code: 'UPLOADS_BUSY' });
    expect(await budget.read(request(64 * MEBIBYTE), true, {}, async () => 'in')).toBe('in');
    finish();
    await first;
    await expect(second).rejects.toThrow('broken');
    expect(await budget.read(request(16 * MEBIBYTE), false, {}, async () => 'in')).toBe('in');
  });

  it('takes less from strangers, and never more than the place allows', async () => {
    const budget = new UploadBudget();
    const limits = async (given: object): Promise<object> => given;
    await expect(budget.read(request(16 * MEBIBYTE + 1), false, {}, limits)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
    await expect(budget.read(request(2 * MEBIBYTE), true, { totalBytes: MEBIBYTE }, limits)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
    expect(await budget.read(request(), false, { files: 0, totalBytes: MEBIBYTE }, limits)).toEqual({ files: 0, totalBytes: MEBIBYTE });
    expect(await budget.read(request(), false, {}, limits)).toEqual({ totalBytes: 16 * MEBIBYTE });
  });
});
