import { privateKeyOf, publicKeyOf } from './rsa.js';
import type { Word } from './words.js';

/** Validates the URL of an API. */
export function addressProblem(value: string): Word | null {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(value) || !URL.canParse(value)) return 'address_rule';
  const { search, hash, username } = new URL(value);
  return search || hash || username ? 'address_rule' : null;
}

/** Validates a private key. */
export function privateKeyProblem(value: string): Word | null {
  return privateKeyOf(value) ? null : 'private_key_rule';
}

/** Validates a public key, or a certificate containing one. */
export function publicKeyProblem(value: string): Word | null {
  return publicKeyOf(value) ? null : 'public_key_rule';
}
