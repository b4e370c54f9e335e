const DAY_MS = 86_400_000;

/** Whether an account with this last day (null: none) has expired on `today`: it runs to the end of its last day. */
export function isExpired(expiresOn: string | null, today: string): boolean {
  return expiresOn !== null && expiresOn < today;
}

/** The day `days` after another, both `YYYY-MM-DD`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
