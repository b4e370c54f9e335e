import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Contains every single-host address the internet routes on IPv6; mapped, compatible, NAT64, local and multicast ranges lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by number, but answered by the cloud host's own agent (Azure wire server): no special-purpose registry lists it. */
const INTERNAL_BY_USE = new Set(['168.63.129.16']);

/**
 * Returns whether `address` is a single host on the public internet.
 *
 * Ranges of the IANA special-purpose registries are not public, and neither is an IPv6 address that only wraps an IPv4 one
 * (mapped, compatible, translated, NAT64, 6to4, Teredo), whatever it wraps: a gateway would unwrap it after the check.
 * Zone ids are never public.
 *
 * @param address An IP address in its usual text form; anything else is not public.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (!parsed || parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv6') return parsed.match(GLOBAL_UNICAST);
  return !INTERNAL_BY_USE.has(parsed.toString());
}

/** Decides which addresses outbound requests may connect to: public ones, and those listed by an administrator. */
export class AddressPolicy {
  private readonly allowed: readonly [Address, number][];

  /**
   * @param allowCidrs Networks that may be reached although they are not public, such as `10.20.0.0/16` or `fd12::/48`;
   *   a single address is written with `/32` or `/128`.
   * @throws Error naming the entry that is not a network in this form.
   */
  constructor(allowCidrs: readonly string[] = []) {
    this.allowed = allowCidrs.map(parseNetwork);
  }

  /** Returns whether a connection to `address` may be opened. */
  permits(address: string): boolean {
    if (isPublicAddress(address)) return true;
    const parsed = parseAddress(address);
    return parsed !== undefined && this.allowed.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
  }
}

function parseAddress(address: string): Address | undefined {
  // ipaddr.js also parses 127.1, 0x7f000001 and zone ids; the checked address must be exactly the text that is connected to.
  return isIP(address) === 0 || address.includes('%') ? undefined : ipaddr.parse(address);
}

function parseNetwork(text: string): [Address, number] {
  const [, address = '', prefix = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const bits = Number(prefix);
  if (isIP(address) === 0 || prefix === '' || bits > (isIPv6(address) ? 128 : 32)) {
    throw new Error(
      `"${text}" is not a network for the outbound allow list. Use the form 10.20.0.0/16, or 10.20.0.5/32 ` + 'for a single address.',
    );
  }
  return [ipaddr.parse(address), bits];
}
