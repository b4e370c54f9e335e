import type { openExchange } from './exchange.js';
import type { Resolver } from './outbound-request.js';

/** Settings of the outbound client; an administrator's, never a plugin's. */
export interface OutboundOptions {
  /** Networks that are not public and may be reached all the same, e.g. `['10.20.0.0/16']`. None where nothing is given. */
  allowCidrs?: readonly string[];
  /** How names are resolved; the operating system where nothing is given. */
  resolver?: Resolver;
  /** How a request is sent to addresses that were checked; over the network where nothing is given. */
  exchange?: typeof openExchange;
}

/** Token under which {@link OutboundOptions} are injected. */
export const OUTBOUND_OPTIONS = Symbol('outbound options');
