import { randomUUID } from 'node:crypto';

import { Inject, Injectable, Optional } from '@nestjs/common';

import { localeOf, toYuan } from '../common/index.js';
import { Database } from '../database/index.js';
import { ListReply, Operation, SuccessReply } from '../operations/index.js';
import { ORDER_ACCOUNTS, type OrderAccounts } from '../payment/index.js';
import type { CallContext } from '../sdk/index.js';

import { CreditHolders } from './credit-holders.js';
import { Credit } from './entities/index.js';
import { EntryList } from './entry-list.js';
import { LedgerError } from './errors.js';
import { AdjustInput, CreditListInput, EntryListInput, LegacyAdjustInput, signedFen } from './ledger.inputs.js';
import { Ledger, type CreditHolder } from './ledger.js';

/** An administrator's adjustment. */
interface Adjustment {
  readonly of: CreditHolder | number;
  /** Fen, negative to deduct. */
  readonly amount: number;
  readonly reason: string;
  /** Idempotency key; empty: none. */
  readonly request: string;
}

/** Credit administration. Source: docs/panel-api.md "Credit". */
@Injectable()
export class LedgerOperations {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly holders: CreditHolders,
    private readonly list: EntryList,
    @Optional() @Inject(ORDER_ACCOUNTS) private readonly accounts?: OrderAccounts,
  ) {}

  @Operation({ side: 'admin', gn: 'listye', auth: 'admin', input: CreditListInput, audit: null, rate: 'read' })
  async credits(input: CreditListInput): Promise<ListReply> {
    const { total, rows } = await this.list.all(input);
    return new ListReply(total, rows);
  }

  @Operation({ side: 'admin', gn: 'listyelog', auth: 'admin', input: EntryListInput, audit: null, rate: 'read' })
  async entries(input: EntryListInput, ctx: CallContext): Promise<ListReply> {
    const { total, rows } = await this.list.of(input.id ?? null, input, localeOf(ctx.locale));
    return new ListReply(total, rows);
  }

  /** Adds or deducts credit, with a reason that is stored in the ledger. */
  @Operation({
    side: 'admin',
    gn: 'yetz',
    auth: 'admin',
    input: AdjustInput,
    audit: 'ledger.audit_adjusted',
    rate: 'write',
    secondProof: true,
  })
  async adjust(input: AdjustInput, ctx: CallContext): Promise<SuccessReply> {
    const { rmb, yy, qqh } = input;
    const of = await this.holderOf(input);
    return this.moved('ledger.adjusted', { of, amount: signedFen(rmb)!, reason: yy, request: qqh }, ctx);
  }

  /** As {@link adjust}, with the name and fields sent by existing front ends of the plugin `balance`. Source: spec/plugins.md "balance". */
  @Operation({
    side: 'admin',
    gn: 'balance_admin_adjust',
    auth: 'admin',
    input: LegacyAdjustInput,
    audit: 'ledger.audit_adjusted',
    rate: 'write',
    secondProof: true,
  })
  async legacyAdjust({ user_id, amount, direction, remark }: LegacyAdjustInput, ctx: CallContext): Promise<SuccessReply> {
    const of = await this.holders.of({ customer: user_id });
    const fen = signedFen(amount)! * (direction === 'add' ? 1 : -1);
    return this.moved('ledger.adjusted_legacy', { of, amount: fen, reason: remark, request: '' }, ctx);
  }

  private async moved(text: string, { of, amount, reason, request }: Adjustment, ctx: CallContext): Promise<SuccessReply> {
    const admin = ctx.admin!;
    const { creditId, balance, moved } = await this.ledger.move({
      of,
      amount,
      against: 'adjustment',
      kind: 'adjustment',
      cause: `adjustment:${admin.id}:${request === '' ? randomUUID() : request}`,
      reason,
      actor: admin.username,
    });
    if (moved)
      this.database.noteChange({ of: 'credit', id: creditId }, { balance: toYuan(balance - amount) }, { balance: toYuan(balance) });
    const credit = (await this.list.one(creditId))!;
    return new SuccessReply(text, { ...credit }, { user: String(credit.user), rmb: (amount > 0 ? '+' : '') + toYuan(amount), yy: reason });
  }

  /** @throws LedgerError NO_HOLDER */
  private async holderOf({ id, user, yh }: AdjustInput): Promise<CreditHolder | number> {
    const fields = { user: 'ledger.no_holder' };
    if ([id !== undefined, user !== '', yh !== ''].filter(Boolean).length !== 1) throw new LedgerError('NO_HOLDER', {}, fields);
    if (id !== undefined) {
      if (await this.database.repository(Credit).existsBy({ id })) return id;
      throw new LedgerError('NO_HOLDER');
    }
    const customer = yh === '' ? null : await this.holders.customerNamed(yh);
    if (customer) return customer;
    const account = user === '' ? null : await this.accounts?.findForLogin(user);
    if (!account) throw new LedgerError('NO_HOLDER', {}, yh === '' ? fields : { yh: 'ledger.no_holder' });
    return this.holders.of({ account: account.id });
  }
}
