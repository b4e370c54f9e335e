import type * as Age from 'age-encryption';

/** Loaded with the first backup, because it takes 17 MB of memory. */
const age = (): Promise<typeof Age> => import('age-encryption');

/** An age key pair (https://age-encryption.org): the panel keeps the public key, the administrator the private one. */
export interface RecoveryKeys {
  /** `AGE-SECRET-KEY-1…`: shown once and never stored. */
  readonly recoveryKey: string;
  /** `age1…` */
  readonly recipient: string;
}

/** Generates a new key pair. */
export async function newRecoveryKeys(): Promise<RecoveryKeys> {
  const { generateX25519Identity, identityToRecipient } = await age();
  const recoveryKey = await generateX25519Identity();
  return { recoveryKey, recipient: await identityToRecipient(recoveryKey) };
}

/** Extracts the key from pasted text, skipping age's comment lines. Empty if not found. */
export function recoveryKeyIn(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
}

/** Returns the public key; null if the text is not a recovery key. */
export async function recipientOf(recoveryKey: string): Promise<string | null> {
  const { identityToRecipient } = await age();
  return identityToRecipient(recoveryKey).catch(() => null);
}

/** Encrypts a stream for the owner of the recovery key, in age's format, which `age --decrypt` can also open. */
export async function encrypt(plain: ReadableStream<Uint8Array>, recipient: string): Promise<ReadableStream<Uint8Array>> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(plain);
}

/**
 * Decrypts a stream, which errors at the first modified or missing data.
 *
 * @throws Error for a wrong key or if the data is not in age's format
 */
export async function decrypt(encrypted: ReadableStream<Uint8Array>, recoveryKey: string): Promise<ReadableStream<Uint8Array>> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  decrypter.addIdentity(recoveryKey);
  return decrypter.decrypt(encrypted);
}
