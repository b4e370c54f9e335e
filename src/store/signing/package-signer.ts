import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';

import { loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import type { Actor } from '../audit/index.js';
import { StoreVersion } from '../entities/index.js';
import { signedText, type SignedPackage } from '../packages/index.js';

import { SigningKeys } from './signing-keys.js';

const log = loggerFor('store');
/** Versions re-signed per batch. */
const BATCH = 200;

/** A signature and its key. */
export interface PackageSignature {
  /** Base64 of 64 bytes (Ed25519). */
  readonly signature: string;
  readonly keyId: string;
}

/** Signs published versions: anyone with the public key can verify that the store approved exactly this ZIP as this version of the item. */
@Injectable()
export class PackageSigner {
  private readonly replace;

  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeys,
  ) {
    this.replace = database.statement(
      `UPDATE {StoreVersion} SET {StoreVersion.signature} = ?, {StoreVersion.keyId} = ? WHERE {StoreVersion.id} = ?
        AND {StoreVersion.keyId} = ?`,
    );
  }

  /** Signs a package; see {@link signedText}. */
  sign(signed: SignedPackage): Promise<PackageSignature> {
    return this.keys.sign(signedText(signed));
  }

  /** Creates a new key and re-signs all published versions with it. @returns id of the new key */
  async rotate(actor: Actor, version?: string): Promise<string> {
    const keyId = await this.keys.rotate(actor, version);
    await this.signOutdated();
    return keyId;
  }

  /** Re-signs versions signed with an older key, for example if the process ended during a rotation. @returns how many */
  @Job({ name: 'store-signatures', everyMinutes: 5, catchUp: true })
  async signOutdated(): Promise<number> {
    let signed = 0;
    for (let last = 0; ;) {
      const rows = await this.outdated(await this.keys.currentId(), last);
      for (const row of rows) signed += await this.signOne(row);
      last = rows.at(-1)?.id ?? last;
      if (rows.length < BATCH) break;
    }
    if (signed > 0) log.info({ versions: signed }, 'published versions were signed with the new key');
    return signed;
  }

  private outdated(keyId: string, last: number): Promise<StoreVersion[]> {
    return this.database
      .repository(StoreVersion)
      .createQueryBuilder('version')
      .innerJoinAndSelect('version.item', 'item')
      .where({ status: 'approved', keyId: Not(keyId) })
      .andWhere('version.id > :last', { last })
      .orderBy('version.id')
      .limit(BATCH)
      .getMany();
  }

  private async signOne({ id, version, sha256, zipSize, signedAt, keyId: before, item }: StoreVersion): Promise<number> {
    // A version imported without a signature has no approval time to sign.
    if (!signedAt || !item) return 0;
    const { type, slug } = item;
    const { signature, keyId } = await this.sign({ type, slug, version, sha256, size: zipSize, signedAt: signedAt.toISOString() });
    return (await this.replace.run(signature, keyId, id, before)).affected;
  }
}
