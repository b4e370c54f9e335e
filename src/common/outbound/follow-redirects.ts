import type { IncomingMessage } from 'node:http';

import type { AddressPolicy } from './address-policy.js';
import type { Hop, openExchange } from './exchange.js';
import { OutboundFailure } from './outbound-failure.js';
import type { Resolver } from './outbound-request.js';
import { redirectedHop, redirectLocation } from './redirect.js';
import { checkedAddresses } from './target.js';

/** Constraints of {@link followRedirects}. */
export interface RedirectRules {
  readonly policy: AddressPolicy;
  readonly resolver: Resolver;
  readonly exchange: typeof openExchange;
  /** With 0 a redirect is returned as the response. */
  readonly maxRedirects: number;
  readonly signal: AbortSignal;
  /** Allowed hosts; any host without it. */
  readonly mayReach?: (host: string) => boolean;
}

/**
 * Requests `first` and follows redirects. Every address, the first and each later one, is resolved once, checked, and connected to
 * exactly as checked.
 *
 * @param read reads the response; its connection is closed afterwards
 * @throws OutboundFailure as {@link checkedAddresses}; `FAILED` for a host that is not allowed, and with `too many redirects`
 */
export async function followRedirects<T>(first: Hop, rules: RedirectRules, read: (response: IncomingMessage) => Promise<T>): Promise<T> {
  const { policy, resolver, exchange, maxRedirects, signal, mayReach } = rules;
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    if (mayReach && !mayReach(hop.url.hostname)) throw new OutboundFailure('FAILED', `not to ${hop.url.hostname}`);
    const addresses = await checkedAddresses(hop.url, resolver, policy);
    signal.throwIfAborted();
    const { response, close } = await exchange(hop, addresses, signal);
    try {
      const location = maxRedirects > 0 ? redirectLocation(response) : undefined;
      if (location === undefined) return await read(response);
      if (redirects === maxRedirects) throw new OutboundFailure('FAILED', 'too many redirects');
      hop = redirectedHop(hop, response.statusCode!, location);
    } finally {
      close();
    }
  }
}
