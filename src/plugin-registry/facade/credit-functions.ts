import { Injectable } from '@nestjs/common';

import { localeOf } from '../../common/index.js';
import { CreditPayments, CreditRefunds, TopUps } from '../../ledger/index.js';
import { Orders } from '../../payment/index.js';
import type { CreditService } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { CreditAccountFunctions } from './credit-account-functions.js';
import { withPermission } from './with-permission.js';

/** Binds the credit service to one plugin; it requires the permission `credit`. */
@Injectable()
export class CreditFunctionsFactory {
  constructor(
    private readonly accounts: CreditAccountFunctions,
    private readonly payments: CreditPayments,
    private readonly refunds: CreditRefunds,
    private readonly topUps: TopUps,
    private readonly orders: Orders,
  ) {}

  serviceFor(plugin: PluginPackage): CreditService {
    const { payments, refunds, topUps, orders } = this;
    const { slug } = plugin;
    return withPermission<CreditService>(plugin, 'credit', 'svc.credit', {
      ...this.accounts.functions(),
      offer: (order, payer) => payments.offer(String(order), payer),
      // The plugin pays under its own slug, so that it cannot act as another gateway.
      pay: (order, payer) => payments.pay({ number: String(order), payer, gateway: slug }),
      topUp: async ({ owner, amount, request, ip = '', done_url }) => {
        const key =
          request === undefined ? undefined : `plugin:${slug}:${Object.entries(owner).flat().join(':')}:${String(request).slice(0, 64)}`;
        const topUp = { owner, amount, request: key, ip: String(ip), doneUrl: done_url };
        return orders.toOrderSummary(await topUps.create(topUp, localeOf('')));
      },
      giveBack: (refund) => refunds.giveBack(String(refund), slug),
    });
  }
}
