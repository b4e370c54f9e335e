import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { revocationText, verifyText } from '../packaging/index.js';
import { originOf } from '../plugin-registry/index.js';

import { PluginStoreError } from './errors.js';
import { StoreClient } from './store-client.js';
import { checkedAnswer, StoreBlockedWire } from './store-wire.js';
import { TrustedKeys } from './trusted-keys.js';

/** Files of one plugin that are looked at. */
const MAX_FILES = 5_000;

/** Why something must not run: SHA-256 of a file or package to the reason its store gives. */
export type Blocked = ReadonlyMap<string, string>;

/** What the store blocked, and what of it lies in a folder. */
@Injectable()
export class RevokedFiles {
  constructor(
    private readonly client: StoreClient,
    private readonly keys: TrustedKeys,
  ) {}

  /** The list of the store. @throws PluginStoreError SIGNATURE for one its key has not signed */
  async list(): Promise<Blocked> {
    const { keyId, pem } = await this.keys.present();
    const { list, signature, key_id } = await this.client.revocations();
    if (key_id !== keyId || !verifyText(revocationText(list), signature, pem)) throw new PluginStoreError('SIGNATURE', { key: keyId });
    const { blocked } = checkedAnswer(StoreBlockedWire, parsed(list));
    return new Map(blocked.map(({ sha256, reason }) => [sha256, reason]));
  }

  /** The reason for which something of a plugin's folder is blocked; null where nothing is. */
  async reasonFor(folder: string, blocked: Blocked): Promise<string | null> {
    if (blocked.size === 0) return null;
    const ofPackage = blocked.get(originOf(folder)?.sha256 ?? '');
    if (ofPackage !== undefined) return ofPackage;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((found) => found.isFile()).slice(0, MAX_FILES)) {
      const reason = blocked.get(await digestOf(join(entry.parentPath, entry.name)));
      if (reason !== undefined) return reason;
    }
    return null;
  }
}

/** SHA-256 of a file, as hex digits. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

function parsed(list: string): unknown {
  try {
    return JSON.parse(list);
  } catch (error) {
    throw new PluginStoreError('STORE_ANSWER', {}, undefined, { cause: error });
  }
}
