/**
 * Converts yuan as gateways write them (`1`, `1.0`, `1.00`) to fen, exactly.
 *
 * @returns null for an invalid amount or fractions of a fen
 */
export function fenOf(yuan: string | undefined): number | null {
  const match = /^(\d{1,10})(?:\.(\d{1,2})0*)?$/.exec(yuan ?? '');
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null;
}

/** Converts fen to yuan with two decimals; negative amounts get a minus. */
export function yuanOf(fen: number): string {
  const size = Math.abs(fen);
  return `${fen < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
}
