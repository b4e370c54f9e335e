import { Injectable } from '@nestjs/common';

import { addressForLimits, RateLimiter } from '../auth/index.js';
import { legacyDay } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database } from '../database/index.js';
import { OutsideLog } from '../operations/index.js';

import { codeHash } from './code-words.js';
import { CodeBatch, RedeemCode } from './entities/index.js';
import { LedgerError, type LedgerErrorCode } from './errors.js';
import { Ledger, type CreditHolder } from './ledger.js';

/** Invalid codes that one address, and one customer, may try in ten minutes. */
export const WRONG_CODES = { limit: 10, windowSeconds: 600 };
const MAX_TYPED = 64;

/** A request to redeem a code. */
export interface Redemption {
  readonly of: CreditHolder;
  /** The code as entered. */
  readonly code: string;
  readonly ip: string;
}

/** The value of a redeemed code, and the new balance, in fen. */
export interface Redeemed {
  readonly amount: number;
  readonly balance: number;
}

/**
 * Redeems codes for credit. Marking the code as used and adding the credit are one transaction, so that of concurrent
 * attempts only one succeeds.
 */
@Injectable()
export class Redeeming {
  private readonly use;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
    private readonly ledger: Ledger,
    private readonly limiter: RateLimiter,
    private readonly log: OutsideLog,
  ) {
    this.use = database.statement(
      `UPDATE {RedeemCode} SET {RedeemCode.state} = 'used', {RedeemCode.creditId} = ?, {RedeemCode.usedAt} = ?
       WHERE {RedeemCode.id} = ? AND {RedeemCode.state} = 'unused'`,
    );
  }

  /** @throws LedgerError CODE_UNKNOWN, CODE_USED, CODE_YOURS, CODE_REVOKED, CODE_OVER, CODE_TRIES, TOO_MUCH */
  async redeem({ of, code, ip }: Redemption): Promise<Redeemed> {
    const keys = [`redeem:who:${of.kind}:${of.id}`, `redeem:ip:${addressForLimits(ip)}`];
    // Counted before the lookup and uncounted on success, so that concurrent attempts cannot exceed the limit.
    for (const key of keys) {
      const { allowed, retryAfterSeconds } = await this.limiter.hit(key, WRONG_CODES);
      if (!allowed) throw new LedgerError('CODE_TRIES', { minutes: Math.ceil(retryAfterSeconds / 60) });
    }
    try {
      const redeemed = await this.take(of, code);
      for (const key of keys) await this.limiter.takeBack(key);
      return redeemed;
    } catch (error) {
      if (error instanceof LedgerError) await this.note(of, code, ip, error.code);
      throw error;
    }
  }

  private take(of: CreditHolder, typed: string): Promise<Redeemed> {
    return this.database.transaction(
      async () => {
        const codes = this.database.repository(RedeemCode);
        const code = typed.length <= MAX_TYPED ? await codes.findOneBy({ hash: codeHash(typed) }) : null;
        if (!code) throw refused('CODE_UNKNOWN');
        await this.database.lockRow('RedeemCode', 'id', code.id);
        const { state, creditId } = await codes.findOneByOrFail({ id: code.id });
        if (state === 'used') throw refused((await this.ledger.find(of))?.id === creditId ? 'CODE_YOURS' : 'CODE_USED');
        if (state === 'revoked') throw refused('CODE_REVOKED');
        const { amount, untilOn } = await this.database.repository(CodeBatch).findOneByOrFail({ id: code.batchId });
        const now = this.clock.now();
        if (untilOn !== null && legacyDay(now, this.clock.timezone) > untilOn) throw refused('CODE_OVER', { day: untilOn });
        const moved = await this.ledger.move({ of, amount, against: 'code', kind: 'code', cause: `code:${code.id}` });
        if ((await this.use.run(moved.creditId, now, code.id)).affected !== 1) throw new Error(`The code ${code.id} was already used.`);
        return { amount, balance: moved.balance };
      },
      { durable: true },
    );
  }

  /** Logged like wrong passwords; the entered code is truncated so that a mistyped code is not revealed. */
  private note(of: CreditHolder, code: string, ip: string, outcome: string): Promise<void> {
    return this.log.write({ source: 'redeem', category: '兑换码', quoted: `${of.name}: ${code.slice(0, 4)}…`, ip, outcome });
  }
}

function refused(code: LedgerErrorCode, params: Record<string, string> = {}): LedgerError {
  return new LedgerError(code, params, { dhm: { key: `ledger.${code.toLowerCase()}`, params } });
}
