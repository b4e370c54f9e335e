/** Where a package says which panels it runs on, in the older ways. */
export interface OlderRequirement {
  readonly requires_svc?: unknown;
  /** The name it had in older packages; counts where the other one says nothing. */
  readonly requires_mnbt?: unknown;
}

/**
 * The semver range that `requires_svc`, or `requires_mnbt`, stands for: a bare version means at least that one.
 *
 * @returns undefined where neither says anything; what cannot be read comes back as it is, for the caller to refuse
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
