import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { isWorkDone, withWork } from './captcha-work.js';

const challenge = 'a-challenge-1234';

/** As browsers do it. */
function work(bits: number): string {
  for (let tried = 0; ; tried += 1) {
    const hash = createHash('sha256')
      .update(`${challenge}:${tried.toString(36)}`)
      .digest();
    if (hash.readUInt32BE(0) >>> (32 - bits) === 0) return tried.toString(36);
  }
}

describe('proof of work of a captcha', () => {
  it('is requested in the image only if required', () => {
    expect(withWork('<svg width="1"/>', 12, challenge)).toBe(`<svg data-work="12:${challenge}" width="1"/>`);
    expect(withWork('<svg width="1"/>', 0, challenge)).toBe('<svg width="1"/>');
  });

  it('is verified', () => {
    expect(isWorkDone(challenge, work(12), 12)).toBe(true);
    expect(isWorkDone(challenge, work(12), 24)).toBe(false);
    expect(isWorkDone('another', work(12), 12)).toBe(false);
    expect(isWorkDone(challenge, '', 0)).toBe(true);
    expect(isWorkDone(challenge, '', 1)).toBe(false);
    expect(isWorkDone(challenge, 'x'.repeat(12), 1)).toBe(false);
  });
});
