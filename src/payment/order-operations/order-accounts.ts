/** Port: looks up the account of a login name, for orders created by name. */
export interface OrderAccounts {
  /** Finds by login name, ignoring case; null if no account has it. */
  findForLogin(username: string): Promise<{ readonly id: number } | null>;
}

/** Token of {@link OrderAccounts}; without a provider, orders created by name have no owner. */
export const ORDER_ACCOUNTS = Symbol('ORDER_ACCOUNTS');
