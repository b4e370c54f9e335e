import type { openExchange } from './exchange.js';
import type { Resolver } from './outbound-request.js';

/** Settings of the outbound client; set by an administrator, never by a plugin. */
export interface OutboundOptions {
  /** Non-public networks that may be reached, e.g. `['10.20.0.0/16']`; default none. */
  allowCidrs?: readonly string[];
  /** DNS resolver; default the operating system's. */
  resolver?: Resolver;
  /** Sends a request to checked addresses; default over the network. */
  exchange?: typeof openExchange;
}

/** Token under which {@link OutboundOptions} are injected. */
export const OUTBOUND_OPTIONS = Symbol('outbound options');
