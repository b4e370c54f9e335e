/** Whether an account with this last day (null: none) has expired on `today`: it runs to the end of its last day. */
export function isExpired(expiresOn: string | null, today: string): boolean {
  return expiresOn !== null && expiresOn < today;
}
