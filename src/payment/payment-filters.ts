/** The part of the hook registry that dispatch needs. */
export interface PaymentFilters {
  /** Hands `value` from listener to listener; a failing one leaves it as it was. */
  applyFilters<T>(hook: string, value: T, ...args: unknown[]): T | Promise<T>;
}

/** Token of {@link PaymentFilters}; where nothing provides it, no listener is asked. */
export const PAY_FILTERS = Symbol('PAY_FILTERS');
