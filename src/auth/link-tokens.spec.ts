import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../test/support/manual-clock.js';
import { HOUR_MS } from '../common/index.js';
import { Secrets } from '../config/index.js';

import { LinkTokens, type LinkPurpose } from './link-tokens.js';

const PURPOSES: readonly LinkPurpose[] = [
  { place: 'one.link' },
  { place: 'other.link' },
  { place: 'one.link', to: 'reset' },
  { place: 'one.link', to: 'enter' },
  { place: 'other.link', to: 'reset' },
];
const RESET = PURPOSES[0]!;

const clock = new ManualClock();
const secrets = new Secrets(randomBytes(32));
const tokens = new LinkTokens(secrets, clock);
const ALICE = { id: 7, passwordHash: 'hash-1' };
/** Finds Alice, with the password she has now. */
const find =
  (passwordHash = ALICE.passwordHash) =>
  (id: number) =>
    Promise.resolve(id === ALICE.id ? { ...ALICE, passwordHash } : null);

describe('tokens of links', () => {
  it('open for their purpose, and for no other place or kind', () => {
    for (const purpose of PURPOSES) {
      const { token } = tokens.seal(purpose, { id: 7 }, HOUR_MS);
      for (const other of PURPOSES) {
        if (other === purpose) expect(tokens.open(other, token)).toMatchObject({ id: 7 });
        else expect(tokens.open(other, token)).toBeNull();
      }
    }
  });

  it('do not take purpose and expiry from their content', () => {
    const { token } = tokens.seal(RESET, { to: 'enter', until: clock.now().getTime() + 2 * HOUR_MS }, HOUR_MS);
    expect(tokens.open(PURPOSES[3]!, token)).toBeNull();
    expect(tokens.open(RESET, token)).not.toBeNull();
    clock.advance(HOUR_MS + 1);
    expect(tokens.open(RESET, token)).toBeNull();
  });

  it('expire', () => {
    const { token, until } = tokens.seal(RESET, { id: 7 }, 60_000);
    expect(until.getTime()).toBe(clock.now().getTime() + 60_000);
    clock.advance(60_000);
    expect(tokens.open(RESET, token)).not.toBeNull();
    clock.advance(1);
    expect(tokens.open(RESET, token)).toBeNull();
  });

  it('cannot be forged, and show nothing of their content', () => {
    const { token } = tokens.seal(RESET, { mail: 'somebody@example.org' }, HOUR_MS);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('somebody');
    const foreign = new LinkTokens(new Secrets(randomBytes(32)), clock).seal(RESET, {}, HOUR_MS);
    for (const forged of [undefined, 7, '', 'x', 'A'.repeat(300), `A${token}`, token.slice(0, -4), foreign.token])
      expect(tokens.open(RESET, forged)).toBeNull();
  });
});

describe('tokens of links that set a new password', () => {
  it('return the account for an hour, while it has the same password', async () => {
    const { token, until } = tokens.sealPassword(RESET, ALICE);
    expect(until.getTime()).toBe(clock.now().getTime() + HOUR_MS);
    expect(await tokens.openPassword(RESET, token, find())).toEqual(ALICE);
    expect(await tokens.openPassword(RESET, token, find('hash-2'))).toBeNull();
    expect(await tokens.openPassword(RESET, token, () => Promise.resolve(null))).toBeNull();
    clock.advance(HOUR_MS + 1);
    expect(await tokens.openPassword(RESET, token, find())).toBeNull();
  });

  it('are not those of other links, whatever these contain', async () => {
    const { token } = tokens.sealPassword(PURPOSES[2]!, ALICE);
    for (const other of PURPOSES.filter(({ place, to }) => place !== 'one.link' || to !== 'reset'))
      expect(await tokens.openPassword(other, token, find())).toBeNull();
    // A link that signs in names the account, too, but no password.
    const { token: enter } = tokens.seal(RESET, { id: ALICE.id, number: 3 }, HOUR_MS);
    expect(await tokens.openPassword(RESET, enter, find())).toBeNull();
  });

  it('do not contain the hash of the password', () => {
    const { token } = tokens.sealPassword(RESET, ALICE);
    expect(secrets.openToken(token, RESET.place)).not.toContain(ALICE.passwordHash);
  });
});
