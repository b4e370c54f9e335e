import { Injectable } from '@nestjs/common';

import { localeOf, toFen } from '../../common/index.js';
import { CreditHolders, CreditPayments, CreditRefunds, EntryList, Ledger, Redeeming, TopUps } from '../../ledger/index.js';
import { Orders } from '../../payment/index.js';
import type { CreditEntryRecord, CreditService } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { CREDIT_PERMISSION } from '../package/permissions.js';

import { withPermission } from './with-permission.js';

/** Binds the credit of customers to one plugin: nothing of it works without the permission. */
@Injectable()
export class CreditFunctionsFactory {
  constructor(
    private readonly ledger: Ledger,
    private readonly holders: CreditHolders,
    private readonly list: EntryList,
    private readonly payments: CreditPayments,
    private readonly refunds: CreditRefunds,
    private readonly topUps: TopUps,
    private readonly orders: Orders,
    private readonly redeeming: Redeeming,
  ) {}

  serviceFor(plugin: PluginPackage): CreditService {
    const { ledger, holders, payments, refunds, topUps, orders } = this;
    const { slug } = plugin;
    return withPermission<CreditService>(plugin, CREDIT_PERMISSION, 'svc.credit', {
      balance: async (owner) => ledger.balance(await holders.of(owner)),
      entries: (owner, asked) => this.entries(owner, asked),
      offer: (order, payer) => payments.offer(String(order), payer),
      // The plugin settles as itself: nobody pays in another gateway's name.
      pay: (order, payer) => payments.pay({ number: String(order), payer, gateway: slug }),
      topUp: async ({ owner, amount, request, ip = '' }) => {
        const key =
          request === undefined ? undefined : `plugin:${slug}:${Object.entries(owner).flat().join(':')}:${String(request).slice(0, 64)}`;
        return orders.toOrderSummary(await topUps.create({ owner, amount, request: key, ip: String(ip) }, localeOf('')));
      },
      redeem: async (owner, code, ip) => this.redeeming.redeem({ of: await holders.of(owner), code: String(code), ip: String(ip) }),
      giveBack: (refund) => refunds.giveBack(String(refund), slug),
    });
  }

  private async entries(
    ...[owner, { page, limit, locale = '' }]: Parameters<CreditService['entries']>
  ): ReturnType<CreditService['entries']> {
    const credit = await this.ledger.find(await this.holders.of(owner));
    if (!credit) return { total: 0, rows: [] };
    const asked = { page: within(page, 10_000), limit: within(limit, 100), sortOrder: 'desc' } as const;
    const { total, rows } = await this.list.of(credit.id, asked, localeOf(locale));
    return { total, rows: rows.map(toRecord) };
  }
}

const within = (value: unknown, most: number): number => Math.min(Math.max(Math.trunc(Number(value)) || 1, 1), most);

function toRecord({ id, rmb, ye, lx, lr, yy, ddh, date }: Record<string, unknown>): CreditEntryRecord {
  const yuan = String(rmb);
  const amount = toFen(yuan.replace(/^[+-]/, ''))! * (yuan.startsWith('-') ? -1 : 1);
  const texts = { kind: String(lx), text: String(lr), reason: String(yy), order: String(ddh), date: String(date) };
  return { id: Number(id), amount, balance: toFen(String(ye))!, ...texts };
}
