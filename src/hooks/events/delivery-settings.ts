/** The times and limits of event delivery. All times in milliseconds. */
export interface DeliverySettings {
  /** Listeners that run at once in one process. */
  readonly concurrency: number;
  /** A listener that runs longer does not count among {@link concurrency} any more: a few that hang hold nobody up. */
  readonly patience: number;
  /** How long a claim lasts without being renewed; afterwards another process takes over. */
  readonly lease: number;
  /** How often the claims of running listeners are renewed; well below {@link lease}. */
  readonly renewal: number;
  /** Waits after the first, second, … failed attempt; the last one repeats. */
  readonly backoff: readonly number[];
  /** Attempts before a delivery goes to the dead letters. */
  readonly attemptLimit: number;
  /**
   * How often due deliveries are looked for when nothing else asks for it: another process may have recorded an
   * event. A few index look-ups each.
   */
  readonly sweep: number;
  /** How long a shutdown waits for running listeners. */
  readonly shutdown: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** What the product runs with. */
export const DELIVERY_SETTINGS: DeliverySettings = {
  concurrency: 8,
  patience: 30 * SECOND,
  lease: 20 * SECOND,
  renewal: 5 * SECOND,
  backoff: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE],
  attemptLimit: 8,
  sweep: 2 * SECOND,
  shutdown: 10 * SECOND,
};

/** How long to wait after the failed attempt number `attempt` (from 1). */
export function deliveryBackoff(attempt: number, settings: DeliverySettings): number {
  return settings.backoff[Math.min(attempt, settings.backoff.length) - 1]!;
}
