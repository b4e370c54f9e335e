import { Injectable } from '@nestjs/common';

import { Clock, loggerFor } from '../common/index.js';
import { Database } from '../database/index.js';
import { keyIdOf, successionText, verifyText } from '../packaging/index.js';

import { PluginStore } from './entities/index.js';
import { PluginStoreError } from './errors.js';
import { StoreClient } from './store-client.js';
import type { StoreKeysWire, StoreKeyWire } from './store-wire.js';

const log = loggerFor('plugins');

/** A trusted key of the store. */
export interface TrustedKey {
  readonly keyId: string;
  /** SPKI in PEM. */
  readonly pem: string;
}

/**
 * The trusted key of a store (trust on first use). A new key is accepted only if the trusted one certified it, directly or through a chain
 * of rotations.
 */
@Injectable()
export class TrustedKeys {
  private readonly first;
  private readonly follow;

  constructor(
    private readonly database: Database,
    private readonly client: StoreClient,
    private readonly clock: Clock,
  ) {
    this.first = database.statement(
      `${database.insertIgnore} {PluginStore}
        ({PluginStore.address}, {PluginStore.keyId}, {PluginStore.publicKey}, {PluginStore.trustedAt}) VALUES (?, ?, ?, ?)`,
    );
    this.follow = database.statement(
      `UPDATE {PluginStore} SET {PluginStore.keyId} = ?, {PluginStore.publicKey} = ?, {PluginStore.trustedAt} = ?
       WHERE {PluginStore.address} = ? AND {PluginStore.keyId} = ?`,
    );
  }

  /** Returns the store's current key. @throws PluginStoreError KEY_CHANGED if the trusted key does not lead to it */
  async present(): Promise<TrustedKey> {
    const { keys, present } = presentOf(await this.client.keys());
    const { name } = this.client;
    const now = this.clock.now();
    if ((await this.first.run(name, present.key_id, present.public_key, now)).affected > 0)
      log.info({ store: name, key: present.key_id }, 'the key of a store is now trusted');
    const known = await this.database.repository(PluginStore).findOneByOrFail({ address: name });
    const pinned = { keyId: known.keyId, pem: known.publicKey };
    if (pinned.keyId === present.key_id && pinned.pem === present.public_key) return pinned;
    if (!leadsTo(known, keys)) throw new PluginStoreError('KEY_CHANGED', { known: known.keyId, shown: present.key_id });
    await this.follow.run(present.key_id, present.public_key, now, name, known.keyId);
    log.info({ store: name, key: present.key_id, before: known.keyId }, 'a store has a new key, certified by the previous one');
    return { keyId: present.key_id, pem: present.public_key };
  }

  /** Trusts the store's current key without a certificate. @param keyId the verified fingerprint @throws PluginStoreError KEY_OTHER */
  async trust(keyId: string): Promise<void> {
    const { present } = presentOf(await this.client.keys());
    if (present.key_id !== keyId) throw new PluginStoreError('KEY_OTHER', { shown: present.key_id });
    await this.database
      .repository(PluginStore)
      .upsert(
        { address: this.client.name, keyId, publicKey: present.public_key, trustedAt: this.clock.now() },
        { conflictPaths: { address: true } },
      );
  }
}

/** Returns the keys of a response after checking that their ids match. @throws PluginStoreError STORE_ANSWER */
function presentOf({ key_id, keys }: StoreKeysWire): { keys: StoreKeyWire[]; present: StoreKeyWire } {
  const present = keys.at(-1);
  const isTrue = ({ key_id: id, public_key: pem }: StoreKeyWire): boolean => {
    try {
      return keyIdOf(pem) === id;
    } catch {
      return false;
    }
  };
  if (present?.key_id !== key_id || !keys.every(isTrue)) throw new PluginStoreError('STORE_ANSWER');
  return { keys, present };
}

/** Whether every key after the trusted one is certified by its predecessor. */
function leadsTo({ keyId, publicKey }: PluginStore, keys: readonly StoreKeyWire[]): boolean {
  const at = keys.findIndex(({ key_id, public_key }) => key_id === keyId && public_key === publicKey);
  if (at < 0) return false;
  return keys.slice(at + 1).every(({ key_id: to, since, succession }, i) => {
    const { key_id: from, public_key: pem } = keys[at + i]!;
    return verifyText(successionText({ from, to, signedAt: since }), succession, pem);
  });
}
