/** What the panel says no to: why, and where on a form. */
export interface Refusal extends Error {
  readonly code: string;
  readonly field?: string;
}

/** What no other attempt changes. */
const FINAL = new Set([
  ...['TAKEN', 'RESTING', 'RESERVED', 'PREFIX', 'LIMIT', 'OTHER_SERVER', 'ZONE_MISSING', 'NAME_MISSING', 'NO_HOST', 'NO_END', 'HOST_FULL'],
  ...['FOLDER', 'PORT_MISSING', 'SOLD', 'PANEL', 'SITES', 'PROOF'],
]);

/** Whether the panel said no, and not that something failed. @param code why; any where it is left out */
export function isRefusal(error: unknown, code?: string): error is Refusal {
  const found = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === undefined ? /^[A-Z][A-Z_]+$/.test(found) && 'field' in (error as object) : found === code;
}

/** Whether trying again is of no use. */
export function isFinal(error: unknown): error is Refusal {
  return isRefusal(error) && FINAL.has(error.code);
}

/** The words of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
