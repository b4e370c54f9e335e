import { SetMetadata } from '@nestjs/common';

import type { PluginRateClass } from '../sdk/index.js';

/** Rate limit of a class, and the key it is counted by. Source: docs/operating.md "Limits". */
export interface RateClassRule {
  /** Requests per window; `Infinity` is never rejected. */
  readonly limit: number;
  /** Window length in seconds. */
  readonly windowSeconds: number;
  /** `caller`: the signed-in account, else the address; `address`: always the address (for IPv6 the /64 network). */
  readonly by: 'caller' | 'address';
  /** `memory`: counted per process, almost free; `rows`: one count for all processes. */
  readonly kept: 'memory' | 'rows';
}

/** A named class: every operation, route, act and callback has one. */
export type RateClass = PluginRateClass | 'sign-in' | 'captcha' | 'node' | 'provisioning' | 'health';

/**
 * All rate classes. They limit floods; wrong passwords, keys, secrets and signatures have far stricter limits where they are
 * verified, because only there it is known that they were wrong.
 */
export const RATE_CLASSES: Readonly<Record<RateClass, RateClassRule>> = {
  /** Pages, files and other public resources. */
  public: { limit: 6_000, windowSeconds: 60, by: 'address', kept: 'memory' },
  /** Read-only requests. */
  read: { limit: 6_000, windowSeconds: 60, by: 'caller', kept: 'memory' },
  /** Requests that change data. */
  write: { limit: 3_000, windowSeconds: 60, by: 'caller', kept: 'memory' },
  /** Requests to a server, or with high CPU usage. */
  expensive: { limit: 120, windowSeconds: 60, by: 'caller', kept: 'rows' },
  /** Requests that create an unpaid order. */
  order: { limit: 60, windowSeconds: 600, by: 'caller', kept: 'rows' },
  /** Notifications of payment gateways and returning buyers: gateways repeat them, many from one address. */
  callback: { limit: 6_000, windowSeconds: 60, by: 'address', kept: 'memory' },
  'sign-in': { limit: 300, windowSeconds: 60, by: 'address', kept: 'memory' },
  captcha: { limit: 300, windowSeconds: 60, by: 'address', kept: 'memory' },
  /** Requests of an authenticated agent. */
  node: { limit: 1_200, windowSeconds: 60, by: 'caller', kept: 'memory' },
  /** Shops send bursts: hundreds of renewals in a minute. */
  provisioning: { limit: 6_000, windowSeconds: 60, by: 'address', kept: 'memory' },
  /** Health checks of supervisors, which restart a process that does not respond. */
  health: { limit: Infinity, windowSeconds: 60, by: 'address', kept: 'memory' },
};

/** Returns whether a class of that name exists. */
export function isRateClass(value: unknown): value is RateClass {
  return typeof value === 'string' && Object.hasOwn(RATE_CLASSES, value);
}

/** For dispatcher routes whose targets each have their own class: the route itself needs none. */
export const EACH_ITS_OWN = 'each-its-own';

const RATE_METADATA = 'svc:rate';

/**
 * Declares the rate class of a controller's handler, or of all handlers of a controller. Without one the application does not start.
 * Counted by the guard of `Limited`, in the store API by that of `StoreController`.
 */
export const Rate = (rate: RateClass | typeof EACH_ITS_OWN) => SetMetadata(RATE_METADATA, rate);

/** Returns the class declared by a handler, or by its controller. */
export function rateOf(handler: object, controller: object): RateClass | typeof EACH_ITS_OWN | undefined {
  return (Reflect.getMetadata(RATE_METADATA, handler) ?? Reflect.getMetadata(RATE_METADATA, controller)) as
    RateClass | typeof EACH_ITS_OWN | undefined;
}
