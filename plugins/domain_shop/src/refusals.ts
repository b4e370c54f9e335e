/** An expected error from the panel: reason and form field. */
export interface PanelRefusal extends Error {
  readonly code: string;
  readonly field?: string;
}

/** Codes that a retry cannot resolve. */
const FINAL = new Set([
  ...['TAKEN', 'RESTING', 'RESERVED', 'PREFIX', 'LIMIT', 'OTHER_SERVER', 'ZONE_MISSING', 'NAME_MISSING', 'NO_HOST', 'NO_END', 'HOST_FULL'],
  ...['FOLDER', 'PORT_MISSING', 'SOLD', 'PANEL', 'SITES', 'PROOF'],
]);

/** Whether the panel rejected the request, as opposed to an unexpected failure. @param code expected reason; any by default */
export function isRefusal(error: unknown, code?: string): error is PanelRefusal {
  const found = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === undefined ? /^[A-Z][A-Z_]+$/.test(found) && 'field' in (error as object) : found === code;
}

/** Whether a retry is pointless. */
export function isFinal(error: unknown): error is PanelRefusal {
  return isRefusal(error) && FINAL.has(error.code);
}

/** Returns the message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
