import semver from 'semver';

/**
 * Compares version strings naturally: part by part, digits as numbers (`1.10` after `1.9`), missing parts as 0, and letters before the
 * release (`1.0-beta` before `1.0`). Anything after `+` is ignored.
 *
 * @returns negative if `one` is older, positive if it is newer
 */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = compareParts(a[at] ?? '0', b[at] ?? '0');
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Returns whether a panel version meets a requirement: a range such as `>=1.80 <2`, or a minimum version; an unreadable requirement always
 * passes.
 */
export function meets(panelVersion: string, requires: string): boolean {
  const wanted = requires.trim();
  const range = semver.validRange(/^v?\d+(?:\.\d+){0,2}$/.test(wanted) ? `>=${wanted}` : wanted, { loose: true });
  const panel = semver.parse(panelVersion, { loose: true }) ?? semver.coerce(panelVersion);
  return wanted === '' || !range || !panel || semver.satisfies(panel, range, { includePrerelease: true });
}

function partsOf(version: string): string[] {
  return (
    version
      .toLowerCase()
      .replace(/^v(?=\d)/, '')
      .split('+')[0]!
      .match(/\d+|[a-z]+/g) ?? []
  );
}

function compareParts(one: string, other: string): number {
  const [a, b] = [/^\d/.test(one), /^\d/.test(other)];
  if (a !== b) return a ? 1 : -1;
  if (!a) return one < other ? -1 : one > other ? 1 : 0;
  // A version may have more digits than a number can hold.
  const difference = BigInt(one) - BigInt(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
