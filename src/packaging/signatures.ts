import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * Returns the id of a public key: the first 16 hex digits of the SHA-256 of its SPKI in DER.
 *
 * @param pem SPKI.
 * @throws Error unless it is an Ed25519 key
 */
export function keyIdOf(pem: string): string {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key that signs packages must be an Ed25519 key.');
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

/** Verifies an Ed25519 `signature` (Base64) of `text` with the key `pem`; also false for malformed input. */
export function verifyText(text: string, signature: string, pem: string): boolean {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
