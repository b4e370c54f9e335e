import { Controller } from '@nestjs/common';

import { toYuan, type Locale } from '../../common/index.js';
import { versionOf } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { currency, CURRENCY_CODES, currencyOf, type PaymentMethodRecord } from '../../sdk/index.js';
import { SettingsTabRegistry } from '../../theme/index.js';
import { SettingsTab } from '../../web/index.js';
import { OrderExpiry } from '../orders/index.js';

import { CurrencyChoice } from './currency-choice.js';
import { GatewayCalls } from './gateway-calls.js';
import { gatewayName, methodName, ownMethodName } from './gateway-words.js';
import { isWithin, methodWire, rangeOf } from './method-limits.js';
import { PaymentMethods, methodsForm } from './payment-methods.js';
import { PaymentRegistry, canTake } from './payment-registry.js';

/** Settings tab: the available payment methods, and how long orders stay open. */
@Controller()
export class PaymentSettingsPages {
  constructor(
    private readonly gateways: PaymentRegistry,
    private readonly methods: PaymentMethods,
    private readonly orderExpiry: OrderExpiry,
    private readonly calls: GatewayCalls,
    private readonly tabs: SettingsTabRegistry,
    private readonly currency: CurrencyChoice,
  ) {}

  @SettingsTab({ tab: 'payments', order: 40, menu: 'payment.menu.payments', needs: 'setpaymethods' })
  async payments({ locale }: RequestContext): Promise<object> {
    const enabled = this.methods.enabled();
    const waiting = await this.methods.notSetUp();
    const { ttlHours } = this.orderExpiry;
    return {
      methods: this.paymentMethods(enabled, waiting, locale),
      gateways: await this.gatewayList(waiting, locale),
      row_version: versionOf(methodsForm(enabled)),
      order_ttl: ttlHours,
      order_ttl_version: versionOf({ order_ttl: ttlHours }),
      currency: { code: currency().code, open: await this.currency.isOpen(), choices: currencyNames(locale) },
    };
  }

  /** Returns all active gateways, with the values needed to configure them at the provider. */
  private async gatewayList(waiting: ReadonlySet<string>, locale: Locale): Promise<object[]> {
    const tabs = await this.tabs.buildTabs();
    return this.gateways.list().map((gateway) => {
      const { slug, owner, record, limits } = gateway;
      const tab = tabs.find((candidate) => candidate.owner === owner);
      return {
        slug,
        name: gatewayName(gateway, locale),
        notify_url: record.notify ? this.calls.notifyUrl(slug) : null,
        settings_url: tab ? `/admin/settings?tab=${tab.id}` : null,
        can_test: record.test !== undefined,
        not_set_up: waiting.has(slug),
        wrong_currency: !canTake(gateway),
        least: limits.least > 0 ? toYuan(limits.least) : null,
        most: limits.most < Number.MAX_SAFE_INTEGER ? toYuan(limits.most) : null,
      };
    });
  }

  private paymentMethods(enabled: readonly PaymentMethodRecord[], waiting: ReadonlySet<string>, locale: Locale): object[] {
    // Methods of a disabled gateway stay listed, marked as off.
    const off = enabled
      .filter(({ plugin, method }) => !this.gateways.get(plugin)?.methods.has(method))
      .map((method) => ({ ...methodWire(method), plugin_name: method.plugin, enabled: true, is_off: true, not_set_up: false }));
    const on = this.gateways.list().flatMap((gateway) =>
      [...gateway.methods].map(([method, registered]) => {
        const plugin = gateway.slug;
        const own = enabled.find((candidate) => candidate.plugin === plugin && candidate.method === method);
        const given = own?.display_name ?? '';
        return {
          plugin,
          plugin_name: gatewayName(gateway, locale),
          method,
          display_name: methodName(gateway, method, registered, given, locale),
          own_name: ownMethodName(gateway, registered, given),
          icon: own?.icon ?? '',
          sort: own?.sort ?? 99,
          enabled: own !== undefined,
          is_off: false,
          not_set_up: waiting.has(plugin),
          ...this.limits(plugin, own),
        };
      }),
    );
    return [...on, ...off];
  }

  /** Returns the reseller's limits next to the gateway's, and whether they leave no valid amount. */
  private limits(plugin: string, own: PaymentMethodRecord | undefined): object {
    const gateway = this.gateways.get(plugin)!;
    const { least, most } = gateway.limits;
    return {
      min: own?.min === undefined ? '' : toYuan(own.min),
      max: own?.max === undefined ? '' : toYuan(own.max),
      least: least > 0 ? toYuan(least) : '',
      most: most < Number.MAX_SAFE_INTEGER ? toYuan(most) : '',
      takes_nothing: own !== undefined && !isWithin(rangeOf(gateway, own)),
    };
  }
}

/** Returns currency codes with their names, sorted by name. */
function currencyNames(locale: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'currency' });
  const { compare } = new Intl.Collator(locale);
  return CURRENCY_CODES.map((code) => ({ code, name: `${names.of(code) ?? code} (${code}, ${currencyOf(code).sign.trim()})` })).sort(
    (a, b) => compare(a.name, b.name),
  );
}
