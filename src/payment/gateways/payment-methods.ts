import { Injectable } from '@nestjs/common';

import { translate, type Locale, type TextRef } from '../../common/index.js';
import type { FormValues } from '../../http/index.js';
import type { SiteConfig } from '../../site/index.js';
import type { PaymentMethodRecord } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { PaymentError } from '../errors.js';
import { MAX_TYPE_LENGTH, parsePayType, payType } from '../orders/index.js';

import { gatewayName, gatewayWords, methodName } from './gateway-words.js';
import { checkLimits, isWithin, limitWords, limitsOf, rangeOf, typeOfRow, type AmountRange } from './method-limits.js';
import { PaymentRegistry, canTake, isSetUp, type Gateway } from './payment-registry.js';

/** Size of the column in bytes. */
const MAX_STORED_BYTES = 65_535;
const DEFAULT_SORT = 99;
/** Payment type of orders marked as paid by an administrator. */
export const CONFIRMED_BY_HAND = payType('manual', 'confirmed');
/** Payment type of orders fully covered by a coupon. */
export const PAID_BY_COUPON = payType('coupon', 'full');

/** Built-in ways of payment, by their slug. */
const OWN_WAYS: Readonly<Partial<Record<string, string>>> = { manual: 'payment.by_hand', coupon: 'payment.by_coupon' };

/** An enabled method whose gateway is registered. */
export interface AvailableMethod extends PaymentMethodRecord {
  /** Payment type string. */
  readonly type: string;
}

interface State {
  readonly methods: PaymentMethodRecord[];
  /** Slugs of gateways that were configured before, whether or not one of their methods is enabled. */
  readonly gateways: string[];
}

/** The payment methods enabled by the panel's owner: `SVC_config.pay_methods`. */
@Injectable()
export class PaymentMethods {
  constructor(
    private readonly settings: SiteSettings,
    private readonly registry: PaymentRegistry,
  ) {}

  /** Returns all enabled methods in order, whether or not their gateways are registered. */
  enabled(): PaymentMethodRecord[] {
    return sorted(stateOf(this.settings.current).methods);
  }

  /**
   * Replaces the list, sanitized: plugin and method keep `[A-Za-z0-9_-]`, rows without either and duplicates are dropped,
   * names and icons are truncated, `sort` is clamped to 0 to 999.
   *
   * @param check receives the current list under a lock; throwing rejects the change
   * @returns the list as stored
   * @throws PaymentError METHODS_MALFORMED if it is no list, METHOD_LIMITS naming the field of an invalid amount, METHODS_TOO_MANY
   * if it does not fit
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
   * Enables all methods of a gateway that was never configured, so that a new gateway is visible. Methods disabled by the
   * owner stay disabled.
   *
   * @param locale of the reader
   * @returns the newly available methods
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

  /** Removes all methods of an uninstalled gateway; if installed again, it counts as new. */
  async forget(slug: string): Promise<void> {
    await this.change(({ methods, gateways }) =>
      gateways.includes(slug) || methods.some(({ plugin }) => plugin === slug)
        ? { methods: methods.filter(({ plugin }) => plugin !== slug), gateways: gateways.filter((gateway) => gateway !== slug) }
        : null,
    );
  }

  /**
   * Returns a function that maps payment types to display names: the enabled method's own name, else the gateway's name for it, prefixed by
   * the gateway's name if they differ. An unregistered type is returned unchanged.
   *
   * @param locale of the reader
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
   * Returns the display name of a gateway by its slug. An unregistered slug is returned unchanged.
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

  /** As {@link gatewayName}, for texts that are stored and translated later. */
  gatewayWords(slug: string): TextRef | string {
    const gateway = this.registry.get(slug);
    if (gateway) return gatewayWords(gateway);
    const own = OWN_WAYS[slug];
    return own === undefined ? slug : { key: own };
  }

  /**
   * Returns the methods for a payment page: enabled, registered, configured, and accepting the amount; an empty name or icon is replaced
   * by the gateway's own.
   *
   * @param amount fen to pay; without it the gateways' limits are ignored
   * @param locale of the reader; without it names are as registered
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
   * Returns the range a registered type accepts if an amount, in fen, is outside of it. A method that is not enabled
   * has no limits of the reseller.
   *
   * @returns null if it is accepted, and for an unregistered type
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

  /** Returns gateway and method of a type that accepts the amount. @returns `unknown` or `amount` if it does not */
  taking(type: string, amount: number): NonNullable<ReturnType<PaymentRegistry['find']>> | 'unknown' | 'amount' {
    const found = this.registry.find(type);
    if (!found) return 'unknown';
    return canTake(found.gateway, amount) && !this.beyond(type, amount) ? found : 'amount';
  }

  /** Returns the slugs of gateways that are not configured, or fail to say so. */
  async notSetUp(gateways: readonly Gateway[] = this.registry.list()): Promise<ReadonlySet<string>> {
    const waiting = [...new Set(gateways)].map(async (gateway) => ((await isSetUp(gateway)) ? [] : [gateway.slug]));
    return new Set((await Promise.all(waiting)).flat());
  }

  /** Returns whether a gateway is registered but not configured. */
  async waitsForSetUp(slug: string): Promise<boolean> {
    const gateway = this.registry.get(slug);
    return gateway !== undefined && !(await isSetUp(gateway));
  }

  /**
   * Writes the result of `next`; returns false if that is null.
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

/** Form values of the enabled methods, by payment type; `methods` lists the types, so that an added one changes the version, too. */
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

/** Returns the sanitized list; null if it is no list. */
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
