import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * What a public key is called: the first 16 hex digits of the SHA-256 of its SPKI in DER.
 *
 * @param pem SPKI.
 * @throws Error for no Ed25519 key
 */
export function keyIdOf(pem: string): string {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key that signs packages is an Ed25519 key.');
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

/** Whether `signature` (Base64) is that of `text` by the Ed25519 key `pem`; false for anything malformed too. */
export function verifyText(text: string, signature: string, pem: string): boolean {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
