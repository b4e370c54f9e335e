import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { StoreBlockedDigest } from '../entities/index.js';
import { revocationText } from '../packages/index.js';

import { SigningKeys } from './signing-keys.js';

/** Maximum blocked files in the list, newest first. */
const MAX_REVOKED = 10_000;

/** Signed list of blocked files and packages; panels disable what they have of it. */
@Injectable()
export class Revocations {
  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /** Returns the list as JSON text with a signature of exactly this text. */
  async signed(): Promise<{ list: string; signature: string; keyId: string }> {
    const rows = await this.database.repository(StoreBlockedDigest).find({ order: { id: 'DESC' }, take: MAX_REVOKED });
    const list = JSON.stringify({
      issued_at: this.clock.now().toISOString(),
      blocked: rows.map(({ sha256, reason, createdAt }) => ({ sha256, reason, since: createdAt.toISOString() })),
    });
    return { list, ...(await this.keys.sign(revocationText(list))) };
  }
}
