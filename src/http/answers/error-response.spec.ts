import { describe, expect, it } from 'vitest';

import { BodyError } from '../body-error.js';
import { panelEnvelope, storeEnvelope } from './envelopes.js';
import { toErrorResponse } from './error-response.js';

describe('toErrorResponse', () => {
  it('describes the error in the envelopes of panel and store', () => {
    const tooLarge = toErrorResponse(new BodyError('BODY_TOO_LARGE'), 'en');
    expect(panelEnvelope.failure(tooLarge)).toMatchObject({ status: 413, body: { success: false, qk: 4, err: 'E_LIMIT', data: null } });
    expect(storeEnvelope.failure(tooLarge)).toMatchObject({ status: 413, body: { code: 413, data: null } });
    const malformed = toErrorResponse(new BodyError('BODY_MALFORMED'), 'en');
    expect([panelEnvelope.failure(malformed).status, storeEnvelope.failure(malformed).status]).toEqual([200, 400]);
    expect(toErrorResponse(new BodyError('BODY_BUSY'), 'en').headers).toEqual({ 'Retry-After': '20' });
  });

  it('shows only an id for unexpected errors', () => {
    const response = toErrorResponse(new Error('SELECT secret FROM /etc'), 'en');
    expect(response).toEqual({
      status: 500,
      err: 'E_INTERNAL',
      id: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
      text: response.text,
    });
    expect(response.text).toContain(response.id);
    expect(JSON.stringify([panelEnvelope.failure(response), storeEnvelope.failure(response)])).not.toContain('secret');
  });
});
