import { Injectable } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';

import { localeOf } from '../../common/index.js';
import { Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { PaymentError } from '../errors.js';
import { MAX_SLUG_LENGTH } from '../orders/index.js';

import { GatewayCalls } from './gateway-calls.js';
import { PaymentMethods } from './payment-methods.js';

/** Fields of `zfcs`. */
class GatewayInput {
  /** Slug of the gateway. */
  @IsString() @Trimmed() @MaxLength(MAX_SLUG_LENGTH) slug!: string;
}

/** Administrator operations on gateways. */
@Injectable()
export class GatewayOperations {
  constructor(
    private readonly calls: GatewayCalls,
    private readonly methods: PaymentMethods,
  ) {}

  /** Runs a gateway's test of its settings. @throws PaymentError with the gateway's message on failure */
  @Operation({ side: 'admin', gn: 'zfcs', auth: 'admin', input: GatewayInput, audit: 'payment.audit.gateway_tested', rate: 'expensive' })
  async test({ slug }: GatewayInput, ctx: CallContext): Promise<SuccessReply> {
    const locale = localeOf(ctx.locale);
    const { ok, msg } = await this.calls.test(slug, locale);
    const name = this.methods.gatewayName(slug, locale);
    if (!ok) throw new PaymentError('GATEWAY_FAILED', { name, reason: msg });
    return new SuccessReply('payment.gateway_tested', { slug, words: msg }, { name, words: msg });
  }
}
