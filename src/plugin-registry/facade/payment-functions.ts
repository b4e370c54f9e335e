import { Injectable } from '@nestjs/common';

import { localeOf, type RegistrationScope } from '../../common/index.js';
import { Dispatch, PaymentLog, PaymentMethods, PaymentRegistry, Settlement, parsePayType, payType } from '../../payment/index.js';
import type { PaymentMethodRecord, SvcFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { requirePermission } from '../package/permissions.js';

import { GatewayRegistrations } from './gateway-registrations.js';

/** The functions of the facade about money. */
export type PaymentFunctions = Pick<
  SvcFacade,
  | 'svc_register_payment'
  | 'svc_get_payment_plugins'
  | 'svc_get_enabled_payment_methods'
  | 'svc_save_payment_methods'
  | 'svc_pay_type'
  | 'svc_pay_parse_type'
  | 'svc_pay_dispatch_gateway'
  | 'svc_pay_settle_order'
  | 'svc_pay_log'
>;

/** Binds the payment module to one plugin. */
@Injectable()
export class PaymentFunctionsFactory {
  constructor(
    private readonly registry: PaymentRegistry,
    private readonly methods: PaymentMethods,
    private readonly dispatch: Dispatch,
    private readonly settlement: Settlement,
    private readonly log: PaymentLog,
    private readonly gateways: GatewayRegistrations,
  ) {}

  functionsFor(plugin: PluginPackage, registrations: RegistrationScope): PaymentFunctions {
    const { slug } = plugin;
    return {
      svc_register_payment: (target, info) => {
        if (target !== slug) throw new Error(`${slug}: a plugin can only register a gateway under its own slug, not "${target}".`);
        return registrations.add(this.gateways.register(slug, info));
      },
      svc_get_payment_plugins: () => this.registry.all(),
      // Buyers choose from these, so disabled gateways are left out.
      svc_get_enabled_payment_methods: async (locale) => {
        const methods = await this.methods.available(undefined, locale === undefined ? undefined : localeOf(locale));
        return methods.map(({ type: _type, ...method }) => method);
      },
      svc_save_payment_methods: async (methods) => {
        requirePermission(plugin, 'settings', 'svc_save_payment_methods');
        return this.saveMethods(methods);
      },
      svc_pay_type: payType,
      svc_pay_parse_type: parsePayType,
      svc_pay_dispatch_gateway: (order, type) => this.dispatch.dispatch(typeof order === 'object' ? order.id : order, type),
      svc_pay_settle_order: (order, gateway, extra) => this.settlement.settle(order, gateway, extra),
      svc_pay_log: (content, level) => this.log.ofGateway(slug, content, level),
    };
  }

  /** A plugin saves the methods of the gateways it sees; rows of gateways that are not running stay. */
  private async saveMethods(methods: Partial<PaymentMethodRecord>[]): Promise<PaymentMethodRecord[]> {
    if (!Array.isArray(methods)) return this.methods.save(methods);
    const unseen = this.methods.enabled().filter(({ plugin }) => !this.registry.get(plugin));
    return this.methods.save([...methods, ...unseen]);
  }
}
