import { Injectable } from '@nestjs/common';

import { localeOf } from '../../common/index.js';
import { checkVersion, nextVersion } from '../../http/index.js';
import { ListReply, NoInput, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { PaymentError } from '../errors.js';
import { OrderExpiry, payType } from '../orders/index.js';
import { CurrencyInput, OrderSettingsInput, SavePaymentMethodsInput } from '../payment.inputs.js';

import { CurrencyChoice } from './currency-choice.js';
import { gatewayName, methodName } from './gateway-words.js';
import { methodWire, rowsInFen } from './method-limits.js';
import { PaymentMethods, methodsForm } from './payment-methods.js';
import { PaymentRegistry } from './payment-registry.js';

/** Payment settings: the available methods, and how long orders stay open. Source: docs/panel-api.md "Orders". */
@Injectable()
export class PaymentSettingsOperations {
  constructor(
    private readonly methods: PaymentMethods,
    private readonly registry: PaymentRegistry,
    private readonly expiry: OrderExpiry,
    private readonly currency: CurrencyChoice,
  ) {}

  @Operation({
    side: 'admin',
    gn: 'setpaymethods',
    auth: 'admin',
    input: SavePaymentMethodsInput,
    audit: 'payment.audit.methods_saved',
    rate: 'write',
  })
  async saveMethods(input: SavePaymentMethodsInput): Promise<SuccessReply> {
    let methods: unknown;
    try {
      methods = JSON.parse(input.methods);
    } catch (error) {
      throw new PaymentError('METHODS_MALFORMED', {}, undefined, { cause: error });
    }
    const saved = await this.methods.save(rowsInFen(methods), (present) => checkVersion(input.row_version, methodsForm(present)));
    return new SuccessReply('payment.methods_saved', {
      methods: saved.map(methodWire),
      ...nextVersion(input.row_version, methodsForm(saved)),
    });
  }

  @Operation({ side: 'admin', gn: 'setdd', auth: 'admin', input: OrderSettingsInput, audit: 'payment.audit.order_settings', rate: 'write' })
  async saveOrderSettings({ order_ttl, row_version }: OrderSettingsInput): Promise<SuccessReply> {
    await this.expiry.setTtl(order_ttl, (present) => checkVersion(row_version, { order_ttl: present }));
    return new SuccessReply('payment.order_settings_saved', nextVersion(row_version, { order_ttl }));
  }

  /** @throws PaymentError CURRENCY_FIXED once there are orders or credit */
  @Operation({ side: 'admin', gn: 'sethb', auth: 'admin', input: CurrencyInput, audit: 'payment.audit.currency', rate: 'write' })
  async saveCurrency({ hb }: CurrencyInput): Promise<SuccessReply> {
    await this.currency.choose(hb);
    return new SuccessReply('payment.currency_saved', {}, { code: hb });
  }

  /** Lists every registered method, and every enabled one, whose gateway may be disabled at the moment. */
  @Operation({ side: 'admin', gn: 'listzffs', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async listMethods(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    const locale = localeOf(ctx.locale);
    const enabled = this.methods.enabled();
    const enabledTypes = new Map(enabled.map((method) => [payType(method.plugin, method.method), method]));
    const rows = enabled.map((method) => {
      const found = this.registry.find(payType(method.plugin, method.method));
      const gateway = found ? gatewayName(found.gateway, locale) : '';
      const label = found ? methodName(found.gateway, method.method, found.method, '', locale) : '';
      return { ...methodWire(method), gateway, label, registered: found !== undefined, enabled: true };
    });
    const others = this.registry.list().flatMap((gateway) =>
      [...gateway.methods]
        .filter(([key]) => !enabledTypes.has(payType(gateway.slug, key)))
        .map(([key, method]) => ({
          plugin: gateway.slug,
          method: key,
          // The registered name: if saved unchanged, buyers still see the name in their own languages.
          display_name: method.label,
          icon: method.icon,
          sort: 99,
          gateway: gatewayName(gateway, locale),
          label: methodName(gateway, key, method, '', locale),
          registered: true,
          enabled: false,
        })),
    );
    return new ListReply(rows.length + others.length, [...rows, ...others]);
  }
}
