/** The older manifest fields for the required panel version. */
export interface OlderRequirement {
  readonly requires_svc?: unknown;
  /** Name of the field in older packages; used if `requires_svc` is missing. */
  readonly requires_mnbt?: unknown;
}

/**
 * Returns the semver range for `requires_svc` or `requires_mnbt`; a bare version means at least that version.
 *
 * @returns undefined if neither is set; an invalid value is returned unchanged, for the caller to reject
 * @example
 * ```ts
 * olderRange({ requires_mnbt: '1.81' }); // ">=1.81"
 * olderRange({ requires_svc: '>=1.80 <2' }); // ">=1.80 <2"
 * ```
 */
export function olderRange({ requires_svc: current, requires_mnbt: older }: OlderRequirement): string | undefined {
  const given = [current, older].find((value) => value !== undefined && value !== null && value !== '');
  if (given === undefined) return undefined;
  const text = String(given).trim();
  return /^v?\d/.test(text) ? `>=${text}` : text;
}
