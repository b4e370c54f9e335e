import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.js';
import { OutboundFailure } from './outbound-failure.js';
import type { ResolvedAddress, Resolver } from './outbound-request.js';

/**
 * Parses a URL like browsers do (WHATWG), which normalizes every spelling of an IPv4 address to the dotted one.
 *
 * @param base The URL that a relative one is resolved against.
 * @throws OutboundFailure `URL` if it cannot be parsed, `SCHEME` if it is neither http nor https.
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
 * Returns the addresses of `url`, all of them permitted. The name is resolved exactly once, and connections use the checked addresses.
 *
 * One denied address rejects the whole name: no legitimate name has both internal and public addresses.
 *
 * @throws OutboundFailure `INTERNAL` if an address is not permitted, `FAILED` if the name has none.
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
