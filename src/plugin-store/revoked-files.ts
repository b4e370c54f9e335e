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

/** Maximum files checked per plugin. */
const MAX_FILES = 5_000;

/** Blocked files: SHA-256 of a file or package, with the store's reason. */
export type Blocked = ReadonlyMap<string, string>;

/** The store's block list, and matching of installed files against it. */
@Injectable()
export class RevokedFiles {
  constructor(
    private readonly client: StoreClient,
    private readonly keys: TrustedKeys,
  ) {}

  /** Downloads the list. @throws PluginStoreError SIGNATURE if it is not signed by the store's key */
  async list(): Promise<Blocked> {
    const { keyId, pem } = await this.keys.present();
    const { list, signature, key_id } = await this.client.revocations();
    if (key_id !== keyId || !verifyText(revocationText(list), signature, pem)) throw new PluginStoreError('SIGNATURE', { key: keyId });
    const { blocked } = checkedAnswer(StoreBlockedWire, parsed(list));
    return new Map(blocked.map(({ sha256, reason }) => [sha256, reason]));
  }

  /** Returns the reason why a file or the package in the folder is blocked; null if none is. */
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

/** SHA-256 of a file, in hex. */
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
