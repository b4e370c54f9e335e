import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

type Range = readonly [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** Maximum entries of a list. */
export const MAX_ADDRESS_LIST = 200;

/** An allow list of addresses and networks. IPv4 in IPv6 notation (`::ffff:192.0.2.1`) is treated as the IPv4 address. */
export class AddressList {
  private constructor(
    private readonly ranges: readonly Range[],
    /** The entries as stored: without duplicates, in the given order. */
    readonly entries: readonly string[],
    /** Entries that are neither an address nor a network. */
    readonly invalid: readonly string[],
  ) {}

  /**
   * Parses a list of addresses (`192.0.2.1`, `2001:db8::1`) and networks (`192.0.2.0/24`, `2001:db8::/32`), separated by
   * commas, semicolons or white space. Never throws: see {@link invalid}.
   */
  static read(text: string): AddressList {
    const entries = [...new Set(text.split(/[\s,;，；]+/).filter((entry) => entry !== ''))];
    const ranges = entries.map(rangeOf);
    return new AddressList(
      ranges.filter((range) => range !== null),
      entries,
      entries.filter((_entry, index) => ranges[index] === null),
    );
  }

  /** Returns whether the list contains `address`; false for an empty list and for an invalid address. */
  has(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network as never, bits));
  }
}

/** Parses one entry; null if invalid. Stricter than the library, which also accepts `1.2` and `0x7f.1`. */
function rangeOf(entry: string): Range | null {
  const [address = '', length, ...more] = entry.split('/');
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return null;
  const parsed = ipaddr.parse(address);
  const whole = parsed instanceof ipaddr.IPv6 ? 128 : 32;
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > whole)) return null;
  const bits = length === undefined ? whole : Number(length);
  // A network in IPv6 notation wider than all of IPv4 is treated as IPv6 only.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && bits >= 96) return [parsed.toIPv4Address(), bits - 96];
  return [parsed, bits];
}
