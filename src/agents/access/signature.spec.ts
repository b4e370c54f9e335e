import { describe, expect, it } from 'vitest';

import { SIGNATURES, VECTOR_NONCE, VECTOR_SECRETS, VECTOR_TIME } from '../../../test/support/node-vectors.js';

import { sign } from './signature.js';

const request = { method: 'POST', time: String(VECTOR_TIME), nonce: VECTOR_NONCE };

describe('signatures', () => {
  it.each(SIGNATURES)('of %s match those of deployed agents', (act, body, signature) => {
    expect(sign({ ...request, url: `/api/node.php?act=${act}`, body: Buffer.from(body) }, VECTOR_SECRETS)).toBe(signature);
  });

  it('change with every signed value', () => {
    const base = { ...request, url: '/api/node.php?act=pull_task', body: Buffer.from('{}') };
    const all = [
      sign(base, VECTOR_SECRETS),
      sign({ ...base, method: 'GET' }, VECTOR_SECRETS),
      sign({ ...base, url: '/api/node.php?act=heartbeat' }, VECTOR_SECRETS),
      sign({ ...base, body: Buffer.from('{ }') }, VECTOR_SECRETS),
      sign({ ...base, time: '1795228339' }, VECTOR_SECRETS),
      sign({ ...base, nonce: 'other' }, VECTOR_SECRETS),
      sign(base, { ...VECTOR_SECRETS, platformSecret: 'other' }),
      sign(base, { ...VECTOR_SECRETS, nodeSecret: 'other' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
