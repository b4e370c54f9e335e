import { Injectable } from '@nestjs/common';

import { CSV_MARK, csvLine, localeOf, toYuan, translate, type Locale } from '../common/index.js';
import { ListInput, ListReply, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { CodeBatches } from './code-batches.js';
import { BatchIdInput, BatchInput, CodeListInput, RedeemInput } from './code.inputs.js';
import { CreditHolders } from './credit-holders.js';
import { signedFen } from './ledger.inputs.js';
import { Redeeming } from './redeeming.js';

/** Redeem codes for credit. Source: docs/panel-api.md "Codes". */
@Injectable()
export class CodeOperations {
  constructor(
    private readonly batches: CodeBatches,
    private readonly redeeming: Redeeming,
    private readonly holders: CreditHolders,
  ) {}

  @Operation({ side: 'admin', gn: 'listdhpc', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list({ page, limit }: ListInput): Promise<ListReply> {
    const { total, rows } = await this.batches.list((page - 1) * limit, limit);
    return new ListReply(total, rows);
  }

  /** The codes are only contained in this response. */
  @Operation({
    side: 'admin',
    gn: 'adddhm',
    auth: 'admin',
    input: BatchInput,
    audit: 'ledger.audit_codes_made',
    rate: 'write',
    secondProof: true,
  })
  async make({ rmb, sl, name, dateb }: BatchInput, ctx: CallContext): Promise<SuccessReply> {
    const amount = signedFen(rmb)!;
    const batch = { name, amount, total: sl, untilOn: dateb ?? null, actor: ctx.admin!.username.slice(0, 64) };
    const { id, codes } = await this.batches.make(batch);
    const csv = codesFile(codes, toYuan(amount), batch.untilOn ?? '', localeOf(ctx.locale));
    return new SuccessReply('ledger.codes_made', { id, codes: codes.join('\n'), csv }, { n: sl, rmb: toYuan(amount) });
  }

  @Operation({ side: 'admin', gn: 'listdhm', auth: 'admin', input: CodeListInput, audit: null, rate: 'read' })
  async codes({ id, qk, page, limit }: CodeListInput): Promise<ListReply> {
    const { total, rows } = await this.batches.codesOf(id, qk ?? '', (page - 1) * limit, limit);
    return new ListReply(total, rows);
  }

  @Operation({ side: 'admin', gn: 'dhmzf', auth: 'admin', input: BatchIdInput, audit: 'ledger.audit_codes_revoked', rate: 'write' })
  async revoke({ id }: BatchIdInput): Promise<SuccessReply> {
    const n = await this.batches.revoke(id);
    return new SuccessReply('ledger.codes_revoked', { id, n }, { id, n });
  }

  @Operation({ side: 'user', gn: 'yedh', auth: 'user', input: RedeemInput, audit: 'ledger.audit_redeemed', rate: 'write' })
  async redeem({ dhm }: RedeemInput, ctx: CallContext): Promise<SuccessReply> {
    const of = await this.holders.of({ account: ctx.user!.id });
    const { amount, balance } = await this.redeeming.redeem({ of, code: dhm, ip: ctx.ip });
    return new SuccessReply('ledger.redeemed', { rmb: toYuan(amount), ye: toYuan(balance) }, { rmb: toYuan(amount) });
  }
}

/** Returns the codes as a table: code, value, last valid day. */
function codesFile(codes: readonly string[], rmb: string, until: string, locale: Locale): string {
  const titles = ['code', 'code_amount', 'code_until'].map((key) => translate(locale, `ledger.file_${key}`));
  return CSV_MARK + [titles, ...codes.map((code) => [code, rmb, until])].map(csvLine).join('');
}
