import { createPrivateKey, createPublicKey, createSign, createVerify, X509Certificate, type KeyObject } from 'node:crypto';

/**
 * Parses a merchant's private key: PEM, or bare base64 of its body, PKCS#8 or PKCS#1.
 *
 * @returns null for anything but an RSA key
 */
export function privateKeyOf(text: string): KeyObject | null {
  return rsaKey(() => {
    if (text.includes('-----BEGIN')) return createPrivateKey(text);
    const key = bodyOf(text);
    try {
      return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    } catch {
      return createPrivateKey({ key, format: 'der', type: 'pkcs1' });
    }
  });
}

/**
 * Parses a public key: PEM, bare base64 of its body, or a certificate containing it.
 *
 * @returns null for anything but an RSA key
 */
export function publicKeyOf(text: string): KeyObject | null {
  return rsaKey(() => {
    if (text.includes('PRIVATE KEY')) throw new Error('This is a private key, where a public key is expected.');
    if (text.includes('BEGIN CERTIFICATE')) return new X509Certificate(text).publicKey;
    if (text.includes('-----BEGIN')) return createPublicKey(text);
    return createPublicKey({ key: bodyOf(text), format: 'der', type: 'spki' });
  });
}

/** Returns the base64 SHA-256 signature, PKCS#1 v1.5. */
export function signWith(key: KeyObject, text: string): string {
  return createSign('RSA-SHA256').update(text, 'utf8').sign(key, 'base64');
}

/** Verifies a base64 signature as created by {@link signWith}. */
export function isSignedBy(key: KeyObject, text: string | Buffer, signature: string | undefined): boolean {
  if (!signature || !/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false;
  try {
    return createVerify('RSA-SHA256').update(text).verify(key, signature, 'base64');
  } catch {
    return false;
  }
}

function bodyOf(text: string): Buffer {
  const base64 = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new Error('This is not base64.');
  return Buffer.from(base64, 'base64');
}

function rsaKey(read: () => KeyObject): KeyObject | null {
  try {
    const key = read();
    return key.asymmetricKeyType === 'rsa' ? key : null;
  } catch {
    return null;
  }
}
