import { Injectable } from '@nestjs/common';

import { translate, type Locale, type TextRef } from '../common/index.js';
import type { FormValues } from '../http/index.js';
import type { SiteConfig } from '../site/index.js';
import type { PaymentMethodRecord } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';

import { PaymentError } from './errors.js';
import { gatewayName, gatewayWords, methodName } from './gateway-words.js';
import { checkLimits, isWithin, limitWords, limitsOf, rangeOf, typeOfRow, type AmountRange } from './method-limits.js';
import { PaymentRegistry, canTake, isSetUp, type Gateway } from './payment-registry.js';
import { MAX_TYPE_LENGTH, parsePayType, payType } from './payment-type.js';

/** Bytes of the column. */
const MAX_STORED_BYTES = 65_535;
const DEFAULT_SORT = 99;
/** Type of an order an administrator has marked as paid. */
export const CONFIRMED_BY_HAND = payType('manual', 'confirmed');
/** Type of an order whose coupon leaves nothing to pay. */
export const PAID_BY_COUPON = payType('coupon', 'full');

/** Ways of paying that need no plugin, by the slug their payments stand under. */
const OWN_WAYS: Readonly<Partial<Record<string, string>>> = { manual: 'payment.by_hand', coupon: 'payment.by_coupon' };

/** An enabled method whose gateway is registered now. */
export interface AvailableMethod extends PaymentMethodRecord {
  /** Payment type string. */
  readonly type: string;
}

interface State {
  readonly methods: PaymentMethodRecord[];
  /** Slugs of gateways that were configured before, whether or not a method of theirs is enabled. */
  readonly gateways: string[];
}

/** Which payment methods the owner of the panel has switched on: `SVC_config.pay_methods`. */
@Injectable()
export class PaymentMethods {
  constructor(
    private readonly settings: SiteSettings,
    private readonly registry: PaymentRegistry,
  ) {}

  /** Every enabled method, in its order, whether or not its gateway is registered now. */
  enabled(): PaymentMethodRecord[] {
    return sorted(stateOf(this.settings.current).methods);
  }

  /**
   * Replaces the list, cleaned: plugin and method keep `[A-Za-z0-9_-]`, rows without either and duplicates are dropped,
   * names and icons are cut to their length, `sort` is held within 0 to 999.
   *
   * @param check sees the list there is, in the round that replaces it; what it throws refuses the change
   * @returns the list as it is stored
   * @throws PaymentError METHODS_MALFORMED for what is no list, METHOD_LIMITS naming the field of an amount that is none, METHODS_TOO_MANY
   * where it does not fit
   */
  async save(methods: unknown, check: (present: readonly PaymentMethodRecord[]) => void = () => undefined): Promise<PaymentMethodRecord[]> {
    const clean = cleanMethods(methods);
    if (!clean) throw new PaymentError('METHODS_MALFORMED');
    checkLimits(methods as unknown[], typeOfRow);
    const registered = this.registry.list().map(({ slug }) => slug);
    await this.change(({ methods: present, gateways }) => {
      check(present);
      return { methods: clean, gateways: [...gateways, ...registered] };
    });
    return sorted(clean);
  }

  /**
   * Offers every method of a gateway of which none was ever configured: one that was just enabled is not to stay invisible. What the
   * owner of the panel switched off stays off.
   *
   * @param locale of who reads their names
   * @returns the methods that are offered from now on
   */
  async introduce(slug: string, locale?: Locale): Promise<AvailableMethod[]> {
    const gateway = this.registry.get(slug);
    if (!gateway) return [];
    const rows = [...gateway.methods.keys()].map((method) => ({ plugin: slug, method, display_name: '', icon: '', sort: DEFAULT_SORT }));
    const changed = await this.change(({ methods, gateways }) => {
      const isKnown = gateways.includes(slug) || methods.some(({ plugin }) => plugin === slug);
      return isKnown ? null : { methods: [...methods, ...rows], gateways: [...gateways, slug] };
    });
    return changed ? (await this.available(undefined, locale)).filter(({ plugin }) => plugin === slug) : [];
  }

  /** Drops every row of a gateway that was uninstalled; installed again it is a new one. */
  async forget(slug: string): Promise<void> {
    await this.change(({ methods, gateways }) =>
      gateways.includes(slug) || methods.some(({ plugin }) => plugin === slug)
        ? { methods: methods.filter(({ plugin }) => plugin !== slug), gateways: gateways.filter((gateway) => gateway !== slug) }
        : null,
    );
  }

  /**
   * What people know a payment type as: the enabled method's own name, else what its gateway calls it, beside the gateway's name where
   * they differ. A type nobody registered stays as it is.
   *
   * @param locale of who reads it
   */
  names(locale: Locale): (type: string) => string {
    const enabled = new Map(this.enabled().map((method) => [payType(method.plugin, method.method), method.display_name]));
    return (type) => {
      if (type === CONFIRMED_BY_HAND) return translate(locale, 'payment.by_hand');
      if (type === PAID_BY_COUPON) return translate(locale, 'payment.by_coupon');
      const given = enabled.get(type) ?? '';
      const found = type === '' ? undefined : this.registry.find(type);
      if (!found) return given || type;
      const { gateway, method } = found;
      const parts = parsePayType(type);
      const [name, way] = [gatewayName(gateway, locale), methodName(gateway, parts ? parts.method : '', method, given, locale)];
      return way.startsWith(name) ? way : `${name} · ${way}`;
    };
  }

  /**
   * What people know a gateway as, by its slug. One that no plugin brings at the moment stays as it is.
   *
   * @example
   * ```ts
   * methods.gatewayName('epay', 'zh-CN'); // "易支付"
   * ```
   */
  gatewayName(slug: string, locale: Locale): string {
    const gateway = this.registry.get(slug);
    if (gateway) return gatewayName(gateway, locale);
    const own = OWN_WAYS[slug];
    return own === undefined ? slug : translate(locale, own);
  }

  /** The same as a value for a text that is kept, and read later by people of any language. */
  gatewayWords(slug: string): TextRef | string {
    const gateway = this.registry.get(slug);
    if (gateway) return gatewayWords(gateway);
    const own = OWN_WAYS[slug];
    return own === undefined ? slug : { key: own };
  }

  /**
   * What a pay page shows: enabled, registered now, set up, and able to take the money; a name or icon left empty is the gateway's own.
   *
   * @param amount fen to be paid; without it the gateways' limits do not count
   * @param locale of who reads the names; without it they are as gateways registered them
   */
  async available(amount?: number, locale?: Locale): Promise<AvailableMethod[]> {
    const found = this.enabled().flatMap((method) => {
      const type = payType(method.plugin, method.method);
      const { gateway, method: own } = this.registry.find(type) ?? {};
      if (!gateway || !own || !canTake(gateway) || !isWithin(rangeOf(gateway, method), amount)) return [];
      const name = locale && methodName(gateway, method.method, own, method.display_name, locale);
      const display_name = name ?? (method.display_name || own.label);
      return [{ gateway, offer: { ...method, display_name, icon: method.icon || own.icon, type } }];
    });
    const waiting = await this.notSetUp(found.map(({ gateway }) => gateway));
    return found.filter(({ gateway }) => !waiting.has(gateway.slug)).map(({ offer }) => offer);
  }

  /**
   * Why an amount, in fen, is not taken by a type that is registered: the range it takes. What is not enabled
   * has no limits of the reseller.
   *
   * @returns null where it is taken, and for a type nobody registered
   */
  beyond(type: string, amount: number): AmountRange | null {
    const gateway = this.registry.find(type)?.gateway;
    if (!gateway) return null;
    const range = rangeOf(
      gateway,
      this.enabled().find(({ plugin, method }) => payType(plugin, method) === type),
    );
    return isWithin(range, amount) ? null : range;
  }

  /** Gateway and method of a type, where it can take the amount. @returns `unknown` or `amount` where it cannot */
  taking(type: string, amount: number): NonNullable<ReturnType<PaymentRegistry['find']>> | 'unknown' | 'amount' {
    const found = this.registry.find(type);
    if (!found) return 'unknown';
    return canTake(found.gateway, amount) && !this.beyond(type, amount) ? found : 'amount';
  }

  /** Slugs of those gateways that say they are not set up, or do not say that they are. */
  async notSetUp(gateways: readonly Gateway[] = this.registry.list()): Promise<ReadonlySet<string>> {
    const waiting = [...new Set(gateways)].map(async (gateway) => ((await isSetUp(gateway)) ? [] : [gateway.slug]));
    return new Set((await Promise.all(waiting)).flat());
  }

  /** Whether a gateway is there and not set up. */
  async waitsForSetUp(slug: string): Promise<boolean> {
    const gateway = this.registry.get(slug);
    return gateway !== undefined && !(await isSetUp(gateway));
  }

  /**
   * Writes what `next` makes of the present state, unless that is null; false then.
   *
   * @throws PaymentError METHODS_TOO_MANY
   */
  private change(next: (state: State) => State | null): Promise<boolean> {
    return this.settings.changeFrom((row) => {
      const after = next(stateOf(row));
      if (!after) return null;
      const values = { payMethods: after.methods, payGateways: [...new Set(after.gateways)] };
      if (Object.values(values).some((value) => Buffer.byteLength(JSON.stringify(value)) > MAX_STORED_BYTES))
        throw new PaymentError('METHODS_TOO_MANY');
      return values;
    });
  }
}

/**
 * What the settings page shows of the enabled methods, by payment type; `methods` are the types themselves, so that
 * one which was added counts too.
 */
export function methodsForm(methods: readonly PaymentMethodRecord[]): FormValues {
  const rows = methods.map((row) => {
    const words = [row.display_name, row.icon, row.sort, ...(limitWords(row) ? [limitWords(row)] : [])];
    return [payType(row.plugin, row.method), words.join(' · ')] as const;
  });
  return {
    ...Object.fromEntries(rows),
    methods: rows
      .map(([type]) => type)
      .sort()
      .join(', '),
  };
}

function stateOf({ payMethods, payGateways }: Pick<SiteConfig, 'payMethods' | 'payGateways'>): State {
  return { methods: cleanMethods(payMethods) ?? [], gateways: Array.isArray(payGateways) ? payGateways.map(String) : [] };
}

function sorted(methods: PaymentMethodRecord[]): PaymentMethodRecord[] {
  return [...methods].sort((a, b) => a.sort - b.sort);
}

/** Null for what is no list. */
function cleanMethods(value: unknown): PaymentMethodRecord[] | null {
  if (!Array.isArray(value)) return null;
  const byType = new Map<string, PaymentMethodRecord>();
  for (const row of value as unknown[]) {
    if (typeof row !== 'object' || row === null) continue;
    const { plugin, method, display_name, icon, sort, min, max } = row as Record<string, unknown>;
    const clean = {
      plugin: nameOf(plugin),
      method: nameOf(method),
      display_name: textOf(display_name, 40),
      icon: textOf(icon, 60),
      sort: sortOf(sort),
      ...limitsOf(min, max),
    };
    const type = payType(clean.plugin, clean.method);
    if (!clean.plugin || !clean.method || type.length > MAX_TYPE_LENGTH || byType.has(type)) continue;
    byType.set(type, clean);
  }
  return [...byType.values()];
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[^a-zA-Z0-9_-]/g, '') : '';
}

function textOf(value: unknown, length: number): string {
  return typeof value === 'string' ? Array.from(value.trim()).slice(0, length).join('') : '';
}

function sortOf(value: unknown): number {
  const sort = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Math.trunc(Number(value)) : NaN;
  return Number.isNaN(sort) ? DEFAULT_SORT : Math.min(999, Math.max(0, sort));
}
