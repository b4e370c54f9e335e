import { Injectable } from '@nestjs/common';

import { runInFrame, type Undo } from '../../common/index.js';
import { currency, type PaymentRecord } from '../../sdk/index.js';
import { MAX_TYPE_LENGTH, parsePayType, payType } from '../orders/index.js';

const SLUG = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/;
const METHOD = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;

/** A method of a gateway. */
export interface GatewayMethod {
  readonly label: string;
  /** Empty if the gateway names none. */
  readonly icon: string;
}

/** A registered gateway. */
export interface Gateway {
  readonly slug: string;
  /** Plugin that registered it; its callbacks run in its name. */
  readonly owner: string;
  /** Display name. */
  readonly name: string;
  readonly methods: ReadonlyMap<string, GatewayMethod>;
  /** Origins its forms may post to, for the CSP of the page that shows its HTML. */
  readonly formTargets: readonly string[];
  /** Accepted currencies as ISO 4217 codes. */
  readonly currencies: readonly string[] | 'any';
  /** Accepted amounts in fen, both ends included. */
  readonly limits: { readonly least: number; readonly most: number };
  readonly record: PaymentRecord;
}

/**
 * Returns whether a gateway accepts an amount, in fen, of the installation's currency; without an amount, whether it accepts the currency.
 */
export function canTake({ currencies, limits }: Gateway, amount?: number): boolean {
  return (
    (currencies === 'any' || currencies.includes(currency().code)) &&
    (amount === undefined || (amount >= limits.least && amount <= limits.most))
  );
}

/** Returns whether a gateway is configured: true without `ready`, false if it throws. */
export async function isSetUp({ owner, record: { ready } }: Gateway): Promise<boolean> {
  if (!ready) return true;
  try {
    return (await runInFrame({ owner }, ready)) === true;
  } catch {
    // The error is already reported in the plugin list.
    return false;
  }
}

/** All payment gateways of this process. */
@Injectable()
export class PaymentRegistry {
  /** By slug in lower case: slugs are unique ignoring case. */
  private readonly gateways = new Map<string, Gateway>();

  /**
   * Registers a gateway; later changes of `record.methods` are ignored.
   *
   * @throws Error for an invalid slug or record, or naming the owner of the gateway that already has the slug
   */
  register(slug: string, record: PaymentRecord, owner: string): Undo {
    const gateway = toGateway(slug, record, owner);
    const key = slug.toLowerCase();
    const existing = this.gateways.get(key);
    if (existing) {
      throw new Error(`The payment gateway "${existing.slug}" is already registered by "${existing.owner}".`);
    }
    this.gateways.set(key, gateway);
    return () => {
      if (this.gateways.get(key) === gateway) this.gateways.delete(key);
    };
  }

  /** Returns the gateway of exactly that slug. */
  get(slug: string): Gateway | undefined {
    const gateway = this.gateways.get(slug.toLowerCase());
    return gateway?.slug === slug ? gateway : undefined;
  }

  /** Returns gateway and method of a payment type string, if both are registered. */
  find(type: string): { gateway: Gateway; key: string; method: GatewayMethod } | undefined {
    const parsed = parsePayType(type);
    const gateway = parsed ? this.get(parsed.slug) : undefined;
    const method = parsed ? gateway?.methods.get(parsed.method) : undefined;
    return parsed && gateway && method ? { gateway, key: parsed.method, method } : undefined;
  }

  /** Returns all gateways in order of registration. */
  list(): Gateway[] {
    return [...this.gateways.values()];
  }

  /** Returns all gateways in the format of `svc_get_payment_plugins`: slug to name and method labels. */
  all(): Record<string, { name: string; methods: Record<string, string> }> {
    return Object.fromEntries(
      this.list().map(({ slug, name, methods }) => [
        slug,
        { name, methods: Object.fromEntries([...methods].map(([key, { label }]) => [key, label])) },
      ]),
    );
  }
}

function toGateway(slug: string, record: PaymentRecord, owner: string): Gateway {
  const refuse = (problem: string): never => {
    throw new Error(`The payment gateway "${slug}" cannot be registered: ${problem}.`);
  };
  if (!SLUG.test(slug)) refuse('a slug must be 1 to 63 of a-z A-Z 0-9 _ -, starting with a letter or digit');
  if (typeof record !== 'object' || record === null) refuse('its record is missing');
  for (const name of ['build', 'notify', 'return', 'query', 'refund', 'test', 'ready'] as const) {
    if (record[name] === undefined ? name === 'build' : typeof record[name] !== 'function') {
      refuse(`"${name}" must be a function`);
    }
  }
  if (record.demo !== undefined && typeof record.demo !== 'boolean') refuse('"demo" must be true or false');
  if (typeof record.name !== 'string' || record.name.trim() === '') refuse('"name" must be its display name');
  if (typeof record.methods !== 'object' || record.methods === null) refuse('"methods" must map method keys to labels');
  const methods = new Map<string, GatewayMethod>();
  for (const [key, value] of Object.entries(record.methods)) {
    if (!METHOD.test(key)) refuse(`the method key "${key}" must consist of a-z A-Z 0-9 _ -, starting with a letter or digit`);
    const parsed = parsePayType(payType(slug, key));
    // The string is split at its first "__": "a_" and "b" would be parsed as "a" and "_b".
    if (key.includes('__') || !parsed || parsed.slug !== slug) {
      refuse(`slug and method key "${key}" together are ambiguous, because "__" separates them`);
    }
    if (payType(slug, key).length > MAX_TYPE_LENGTH) refuse(`the method key "${key}" is too long`);
    const { label, name, icon } = typeof value === 'object' && value !== null ? value : { label: value };
    methods.set(key, { label: String(label || name || key), icon: String(icon || '') });
  }
  const formTargets = record.formTargets ?? [];
  if (!Array.isArray(formTargets) || !formTargets.every(isOrigin)) {
    refuse('"formTargets" must be origins such as https://openapi.alipay.com');
  }
  const currencies = record.currencies ?? ['CNY'];
  if (currencies !== 'any' && (!Array.isArray(currencies) || currencies.length === 0 || !currencies.every(isCurrency))) {
    refuse('"currencies" must be "any" or a list of ISO 4217 codes such as CNY');
  }
  const limits = limitsOf(limitsNow(record));
  if (limits === null) refuse('"limits" must be {least, most} in minor units: whole numbers, least not above most');
  return {
    slug,
    owner,
    name: record.name,
    methods,
    formTargets: [...formTargets],
    currencies: currencies === 'any' ? currencies : [...currencies],
    // If later limits are invalid, the initial ones apply.
    get limits() {
      return limitsOf(limitsNow(record)) ?? limits!;
    },
    record,
  };
}

function isCurrency(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value);
}

function limitsNow({ limits }: PaymentRecord): unknown {
  return typeof limits === 'function' ? limits() : limits;
}

/** Parses limits; null if invalid. */
function limitsOf(value: unknown): Gateway['limits'] | null {
  if (value === undefined) return { least: 0, most: Number.MAX_SAFE_INTEGER };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { least = 0, most = Number.MAX_SAFE_INTEGER, ...others } = value as Record<string, unknown>;
  const isAmount = (amount: unknown): amount is number => Number.isSafeInteger(amount) && (amount as number) >= 0;
  return isAmount(least) && isAmount(most) && least <= most && Object.keys(others).length === 0 ? { least, most } : null;
}

/** Origins become part of a CSP header: anything but an exact origin could weaken it. */
function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).origin === value;
}
