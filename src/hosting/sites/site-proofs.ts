import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, toSqlTime } from '../../database/index.js';

/** Path of ACME HTTP-01 challenges (RFC 8555 section 8.3). */
export const PROOFS = '/.well-known/acme-challenge/';
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

/** Serves ACME challenge responses from rows, so that it works in every process, whichever one ordered the certificate. */
@Injectable()
export class SiteProofs {
  private readonly find;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.find = database.statement<{ answer: string }>(
      `SELECT {CertificateProof.answer} AS answer FROM {CertificateProof} WHERE {CertificateProof.token} = ? AND {CertificateProof.name} = ?
       AND {CertificateProof.accountId} = ? AND {CertificateProof.endsAt} > ?`,
    );
  }

  /** Returns the challenge response of a path; null if the path is not a pending challenge. @param path with its query */
  async answerTo(accountId: number, name: string, path: string): Promise<string | null> {
    if (!path.startsWith(PROOFS)) return null;
    const token = path.slice(PROOFS.length).split('?', 1)[0]!;
    if (!TOKEN.test(token)) return null;
    const row = await this.find.get(token, name, accountId, toSqlTime(this.clock.now()));
    return row?.answer ?? null;
  }
}
