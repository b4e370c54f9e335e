/** Who has a name on the user side right now: how an order made by name finds the account it belongs to. */
export interface OrderAccounts {
  /** By login name, ignoring case; null where nobody can sign in by it. */
  findForLogin(username: string): Promise<{ readonly id: number } | null>;
}

/** Token of {@link OrderAccounts}; where nothing provides it, orders made by name are nobody's. */
export const ORDER_ACCOUNTS = Symbol('ORDER_ACCOUNTS');
