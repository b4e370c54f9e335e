import { Injectable } from '@nestjs/common';

import { localeOf, toYuan } from '../common/index.js';
import { ListInput, ListReply, NoInput, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { CreditHolders } from './credit-holders.js';
import { EntryList } from './entry-list.js';
import { Ledger } from './ledger.js';
import { TOP_UP } from './top-ups.js';

/** The caller's credit: that of the host's customer, or the host's own. Source: docs/panel-api.md "Credit". */
@Injectable()
export class OwnCreditOperations {
  constructor(
    private readonly ledger: Ledger,
    private readonly holders: CreditHolders,
    private readonly list: EntryList,
  ) {}

  @Operation({ side: 'user', gn: 'wdye', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async own(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    const holder = await this.holders.of({ account: ctx.user!.id });
    const rmb = toYuan(await this.ledger.balance(holder));
    return new SuccessReply('ledger.found', {
      rmb,
      lx: holder.kind,
      user: holder.name,
      least: toYuan(TOP_UP.least),
      most: toYuan(TOP_UP.most),
    });
  }

  @Operation({ side: 'user', gn: 'yelog', auth: 'user', input: ListInput, audit: null, rate: 'read' })
  async entries(input: ListInput, ctx: CallContext): Promise<ListReply> {
    const credit = await this.ledger.find(await this.holders.of({ account: ctx.user!.id }));
    if (!credit) return new ListReply(0, []);
    const { total, rows } = await this.list.of(credit.id, input, localeOf(ctx.locale));
    // The administrator's name and internal ids are only shown to the reseller.
    return new ListReply(
      total,
      rows.map(({ czuser: _actor, ye_id: _credit, dd_id: _order, ...row }) => row),
    );
  }
}
