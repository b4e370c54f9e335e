import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign, verify, type KeyObject } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { signedText, type SignedPackage } from './signed-text.js';

const KEY_FILE = 'signing-key.pem';

/** A signature and whose it is. */
export interface PackageSignature {
  /** Base64 of 64 bytes (Ed25519). */
  readonly signature: string;
  /** First 16 hex digits of the SHA-256 of the public key (SPKI, DER). */
  readonly keyId: string;
}

/** The public half of the store's key. */
export interface StorePublicKey {
  readonly keyId: string;
  /** SPKI in PEM. */
  readonly pem: string;
}

/**
 * Signs packages with the store's Ed25519 key, which is made at first use and kept in the data folder. Whoever has the
 * public key can tell that the store vouched for exactly this ZIP as this version of this item.
 */
export class PackageSigner {
  private keys: Promise<KeyObject> | null = null;

  /** @param folder such as `DATA_DIR/store`; several processes may share it */
  constructor(private readonly folder: string) {}

  /** Signs; see {@link signedText}. */
  async sign(signed: SignedPackage): Promise<PackageSignature> {
    const key = await this.privateKey();
    return { signature: sign(null, Buffer.from(signedText(signed)), key).toString('base64'), keyId: keyIdOf(createPublicKey(key)) };
  }

  /** What panels verify with. */
  async publicKey(): Promise<StorePublicKey> {
    const key = createPublicKey(await this.privateKey());
    return { keyId: keyIdOf(key), pem: key.export({ type: 'spki', format: 'pem' }).toString() };
  }

  private privateKey(): Promise<KeyObject> {
    this.keys ??= readOrMake(this.folder).catch((error: unknown) => {
      this.keys = null;
      throw error;
    });
    return this.keys;
  }
}

/** Whether `signature` is that of `signed` by the key `pem`; false for anything malformed too. */
export function verifyPackage(signed: SignedPackage, signature: string, pem: string): boolean {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(signedText(signed)), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

/** Of several processes that make a key at once, the first to give it its name wins and all use that one. */
async function readOrMake(folder: string): Promise<KeyObject> {
  const path = join(folder, KEY_FILE);
  const found = await readKey(path);
  if (found) return found;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const part = join(folder, `${KEY_FILE}.${randomUUID()}`);
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    await writeFile(part, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx', flush: true });
    await chmod(part, 0o600);
    await link(part, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(part, { force: true });
  }
  return (await readKey(path))!;
}

async function readKey(path: string): Promise<KeyObject | null> {
  const pem = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (pem === null) return null;
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} is not an Ed25519 key.`);
  return key;
}
