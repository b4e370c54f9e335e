/** Port: looks up the account behind a login name, for orders that are made by name. */
export interface OrderAccounts {
  /** By login name, ignoring case; null where nobody can sign in by it. */
  findForLogin(username: string): Promise<{ readonly id: number } | null>;
}

/** Token of {@link OrderAccounts}; where nothing provides it, orders made by name are nobody's. */
export const ORDER_ACCOUNTS = Symbol('ORDER_ACCOUNTS');
