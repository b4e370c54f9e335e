import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.js';
import { OutboundFailure } from './outbound-failure.js';
import type { ResolvedAddress, Resolver } from './outbound-request.js';

/**
 * Reads a URL the way browsers do (WHATWG), which turns every spelling of an IPv4 address into the dotted one.
 *
 * @param base The URL a relative one stands in.
 * @throws OutboundFailure `URL` when it cannot be read, `SCHEME` when it is neither http nor https.
 */
export function parseTarget(text: unknown, base?: URL): URL {
  const url = typeof text === 'string' ? readUrl(text, base) : undefined;
  if (!url) throw new OutboundFailure('URL', 'not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundFailure('SCHEME', `scheme ${url.protocol}`);
  return url;
}

/** Host of `url`, an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * The addresses `url` stands for, each one permitted. The name is resolved exactly once; what is checked here is what is connected to.
 *
 * One refused answer among public ones refuses the whole name: no honest name points both ways.
 *
 * @throws OutboundFailure `INTERNAL` when an address is not permitted, `FAILED` when the name has none.
 */
export async function checkedAddresses(url: URL, resolver: Resolver, policy: AddressPolicy): Promise<ResolvedAddress[]> {
  const host = hostOf(url);
  const answers = isIP(host) ? [host] : (await resolver(host)).map((answer) => answer.address);
  if (answers.length === 0) throw new OutboundFailure('FAILED', 'name without an address');
  if (!answers.every((address) => policy.permits(address))) throw new OutboundFailure('INTERNAL', 'address not permitted');
  return answers.map((address) => ({ address, family: isIP(address) }));
}

function readUrl(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
