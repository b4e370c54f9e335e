import { Injectable } from '@nestjs/common';

import { localeOf, toFen } from '../../common/index.js';
import { CreditHolders, EntryList, Ledger, Redeeming } from '../../ledger/index.js';
import type { CreditEntryRecord, CreditService } from '../../sdk/index.js';

/** Reads an owner's credit and redeems codes, for plugins. */
@Injectable()
export class CreditAccountFunctions {
  constructor(
    private readonly ledger: Ledger,
    private readonly holders: CreditHolders,
    private readonly list: EntryList,
    private readonly redeeming: Redeeming,
  ) {}

  functions(): Pick<CreditService, 'balance' | 'entries' | 'redeem'> {
    const { ledger, holders, redeeming } = this;
    return {
      balance: async (owner) => ledger.balance(await holders.of(owner)),
      entries: (owner, query) => this.entries(owner, query),
      redeem: async (owner, code, ip) => redeeming.redeem({ of: await holders.of(owner), code: String(code), ip: String(ip) }),
    };
  }

  private async entries(
    ...[owner, { page, limit, locale = '' }]: Parameters<CreditService['entries']>
  ): ReturnType<CreditService['entries']> {
    const credit = await this.ledger.find(await this.holders.of(owner));
    if (!credit) return { total: 0, rows: [] };
    const query = { page: within(page, 10_000), limit: within(limit, 100), sortOrder: 'desc' } as const;
    const { total, rows } = await this.list.of(credit.id, query, localeOf(locale));
    return { total, rows: rows.map(toRecord) };
  }
}

const within = (value: unknown, max: number): number => Math.min(Math.max(Math.trunc(Number(value)) || 1, 1), max);

function toRecord({ id, rmb, ye, lx, lr, yy, ddh, date }: Record<string, unknown>): CreditEntryRecord {
  const yuan = String(rmb);
  const amount = toFen(yuan.replace(/^[+-]/, ''))! * (yuan.startsWith('-') ? -1 : 1);
  const texts = { kind: String(lx), text: String(lr), reason: String(yy), order: String(ddh), date: String(date) };
  return { id: Number(id), amount, balance: toFen(String(ye))!, ...texts };
}
