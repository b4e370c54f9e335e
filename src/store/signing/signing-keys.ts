import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { AppConfig, Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { checkVersion } from '../../http/index.js';
import { type Actor, StoreAuditLog } from '../audit/index.js';
import { StoreSigningKey } from '../entities/index.js';
import { keyIdOf, successionText } from '../packages/index.js';

/** Context with which private keys are encrypted. */
const SEAL_PURPOSE = 'store.signing-key';
/** Where older versions stored the key. */
const OLD_FILE = 'store/signing-key.pem';
/** Maximum keys in a response; a panel that missed more rotations must trust the store again. */
const MAX_KEYS = 200;

/** Public part of a signing key. */
export interface StorePublicKey {
  readonly keyId: string;
  /** SPKI in PEM. */
  readonly pem: string;
  /** Signature of the previous key certifying this one; empty for the first key. */
  readonly succession: string;
  readonly since: Date;
}

/**
 * The store's Ed25519 keys: the newest signs, and each older one certified its successor. The first is generated on first use. Private keys
 * are encrypted with the installation's key, and only the newest is kept.
 */
@Injectable()
export class SigningKeys {
  private readonly insert;
  private readonly clearPrivateKeys;

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly config: AppConfig,
    private readonly audit: StoreAuditLog,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      `${database.insertIgnore} {StoreSigningKey} ({StoreSigningKey.number}, {StoreSigningKey.keyId}, {StoreSigningKey.publicKey},
        {StoreSigningKey.privateKey}, {StoreSigningKey.succession}, {StoreSigningKey.createdAt}) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.clearPrivateKeys = database.statement(
      "UPDATE {StoreSigningKey} SET {StoreSigningKey.privateKey} = '' WHERE {StoreSigningKey.number} < ?",
    );
  }

  /** Signs a text with the current key. */
  async sign(text: string): Promise<{ signature: string; keyId: string }> {
    const row = await this.current();
    return { signature: signed(text, this.privateKey(row)), keyId: row.keyId };
  }

  /** Id of the current key. */
  async currentId(): Promise<string> {
    return (await this.current()).keyId;
  }

  /** Returns all keys, the current one last. */
  async all(): Promise<StorePublicKey[]> {
    await this.current();
    const rows = await this.database.repository(StoreSigningKey).find({ order: { number: 'DESC' }, take: MAX_KEYS });
    return rows.reverse().map(({ keyId, publicKey, succession, createdAt }) => ({ keyId, pem: publicKey, succession, since: createdAt }));
  }

  /**
   * Generates a new key, certified by the current one, which becomes current. Of two concurrent calls only one creates it.
   *
   * @param version row version of the current key as read by the caller
   * @returns id of the new key
   * @throws StaleForm if the current key changed meanwhile
   */
  async rotate(actor: Actor, version?: string): Promise<string> {
    const before = await this.current();
    checkVersion(version, { key_id: before.keyId });
    const { privateKey } = generateKeyPairSync('ed25519');
    return this.database.transaction(async () => {
      const { keyId, isNew } = await this.add(privateKey, before.number + 1, before);
      if (isNew) {
        await this.clearPrivateKeys.run(before.number + 1);
        const detail = { from: before.keyId, to: keyId };
        await this.audit.record(actor, { action: 'key.rotate', subject: 'key', subjectId: before.number + 1, detail });
      }
      return keyId;
    });
  }

  private async current(): Promise<StoreSigningKey> {
    const latest = await this.latest();
    // `svc secret-key renew` empties the private key: the next key cannot be certified.
    return latest && latest.privateKey !== '' ? latest : this.createUncertified(latest?.number ?? 0);
  }

  private latest(): Promise<StoreSigningKey | null> {
    return this.database.repository(StoreSigningKey).findOne({ where: {}, order: { number: 'DESC' } });
  }

  /** Creates a key without a certificate. If several processes do so concurrently, the first insert wins and all use that key. */
  private async createUncertified(last: number): Promise<StoreSigningKey> {
    const file = join(this.config.dataDir, OLD_FILE);
    const old = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    await this.add(old === null ? generateKeyPairSync('ed25519').privateKey : createPrivateKey(old), last + 1, null);
    await rm(file, { force: true });
    return (await this.latest())!;
  }

  private async add(key: KeyObject, number: number, before: StoreSigningKey | null): Promise<{ keyId: string; isNew: boolean }> {
    const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
    const keyId = keyIdOf(pem);
    const now = this.clock.now();
    const statement = before ? successionText({ from: before.keyId, to: keyId, signedAt: now.toISOString() }) : null;
    const succession = before && statement ? signed(statement, this.privateKey(before)) : '';
    const sealed = this.secrets.seal(key.export({ type: 'pkcs8', format: 'pem' }).toString(), SEAL_PURPOSE);
    const { affected } = await this.insert.run(number, keyId, pem, sealed, succession, now);
    const row = affected > 0 ? null : await this.database.repository(StoreSigningKey).findOneByOrFail({ number });
    return { keyId: row?.keyId ?? keyId, isNew: row === null };
  }

  private privateKey({ privateKey, keyId }: StoreSigningKey): KeyObject {
    const pem = this.secrets.open(privateKey, SEAL_PURPOSE);
    if (pem === null)
      throw new Error(`The store's key ${keyId} cannot be decrypted with the secret.key in DATA_DIR. Restore the previous secret.key.`);
    return createPrivateKey(pem);
  }
}

function signed(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text), key).toString('base64');
}
