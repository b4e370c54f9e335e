import type * as Age from 'age-encryption';

/** Loaded with the first backup: it takes 17 MB, which no start has to pay. */
const age = (): Promise<typeof Age> => import('age-encryption');

/** A pair of keys of age (https://age-encryption.org): the panel keeps the half that locks, a person the half that opens. */
export interface RecoveryKeys {
  /** `AGE-SECRET-KEY-1…`: shown once, kept nowhere. */
  readonly recoveryKey: string;
  /** `age1…` */
  readonly recipient: string;
}

/** Makes a new pair. */
export async function newRecoveryKeys(): Promise<RecoveryKeys> {
  const { generateX25519Identity, identityToRecipient } = await age();
  const recoveryKey = await generateX25519Identity();
  return { recoveryKey, recipient: await identityToRecipient(recoveryKey) };
}

/** The key in what was pasted: age writes comments above its keys. Empty where there is none. */
export function recoveryKeyIn(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
}

/** The half that locks; null where the text is no recovery key. */
export async function recipientOf(recoveryKey: string): Promise<string | null> {
  const { identityToRecipient } = await age();
  return identityToRecipient(recoveryKey).catch(() => null);
}

/** Encrypts a stream for who has the recovery key; age's format, which `age --decrypt` opens too. */
export async function lock(plain: ReadableStream<Uint8Array>, recipient: string): Promise<ReadableStream<Uint8Array>> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(plain);
}

/**
 * Decrypts a stream; one that was changed or cut off errors where that is noticed.
 *
 * @throws Error for another key, or what is no archive of age
 */
export async function unlock(locked: ReadableStream<Uint8Array>, recoveryKey: string): Promise<ReadableStream<Uint8Array>> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  decrypter.addIdentity(recoveryKey);
  return decrypter.decrypt(locked);
}
