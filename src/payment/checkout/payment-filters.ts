/** The part of the hook registry that dispatch needs. */
export interface PaymentFilters {
  /** Passes `value` through all listeners; a failing one leaves it unchanged. */
  applyFilters<T>(hook: string, value: T, ...args: unknown[]): T | Promise<T>;
}

/** Token of {@link PaymentFilters}; without a provider, no listener is called. */
export const PAY_FILTERS = Symbol('PAY_FILTERS');
