import { SetMetadata } from '@nestjs/common';

import type { PluginRateClass } from '../sdk/index.js';

/** How often something may be asked for, and by whom that is counted. Source: docs/operating.md "Limits". */
export interface RateClassRule {
  /** Requests in a window; `Infinity` is never refused. */
  readonly limit: number;
  /** Seconds. */
  readonly windowSeconds: number;
  /** `caller`: the account that is signed in, else the address; `address`: always the address (of IPv6 the /64 network). */
  readonly by: 'caller' | 'address';
  /** `memory`: counted by each process for itself, which costs next to nothing; `rows`: one count for all processes. */
  readonly kept: 'memory' | 'rows';
}

/** A named class: every operation, route, act and callback has one. */
export type RateClass = PluginRateClass | 'sign-in' | 'captcha' | 'node' | 'provisioning' | 'health';

/**
 * Every class there is. They keep floods out; what wrong passwords, keys, secrets and signatures cost is counted where they are
 * compared, far more strictly, because only there it is known that they were wrong.
 */
export const RATE_CLASSES: Readonly<Record<RateClass, RateClassRule>> = {
  /** Pages, files and whatever anybody may ask for. */
  public: { limit: 6_000, windowSeconds: 60, by: 'address', kept: 'memory' },
  /** Changes nothing. */
  read: { limit: 6_000, windowSeconds: 60, by: 'caller', kept: 'memory' },
  /** Changes something. */
  write: { limit: 3_000, windowSeconds: 60, by: 'caller', kept: 'memory' },
  /** Asks a server, or keeps a processor busy. */
  expensive: { limit: 120, windowSeconds: 60, by: 'caller', kept: 'rows' },
  /** Makes a row that waits for money. */
  order: { limit: 60, windowSeconds: 600, by: 'caller', kept: 'rows' },
  /** Notifications of gateways and buyers who come back: gateways repeat them, many from one address. */
  callback: { limit: 6_000, windowSeconds: 60, by: 'address', kept: 'memory' },
  'sign-in': { limit: 300, windowSeconds: 60, by: 'address', kept: 'memory' },
  captcha: { limit: 300, windowSeconds: 60, by: 'address', kept: 'memory' },
  /** One agent that has shown its secret. */
  node: { limit: 1_200, windowSeconds: 60, by: 'caller', kept: 'memory' },
  /** Shops call in bursts: hundreds of hosts renewed in a minute. */
  provisioning: { limit: 6_000, windowSeconds: 60, by: 'address', kept: 'memory' },
  /** Supervisors, which would restart what does not answer. */
  health: { limit: Infinity, windowSeconds: 60, by: 'address', kept: 'memory' },
};

/** Whether there is a class of that name. */
export function isRateClass(value: unknown): value is RateClass {
  return typeof value === 'string' && Object.hasOwn(RATE_CLASSES, value);
}

/** What is behind an address, each with a class of its own: the address needs none. */
export const EACH_ITS_OWN = 'each-its-own';

const RATE_METADATA = 'svc:rate';

/**
 * Declares the rate class of a controller's handler, or of all handlers of a controller. A handler without one does not boot.
 * It is counted by the guard of `Limited`, in the API of the store by that of `StoreController`.
 */
export const Rate = (rate: RateClass | typeof EACH_ITS_OWN) => SetMetadata(RATE_METADATA, rate);

/** What a handler declares, or its controller for all of them. */
export function rateOf(handler: object, controller: object): RateClass | typeof EACH_ITS_OWN | undefined {
  return (Reflect.getMetadata(RATE_METADATA, handler) ?? Reflect.getMetadata(RATE_METADATA, controller)) as
    RateClass | typeof EACH_ITS_OWN | undefined;
}
