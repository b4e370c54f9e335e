/** Times and limits of event delivery. All times in milliseconds. */
export interface DeliverySettings {
  /** Maximum number of concurrently running listeners in one process. */
  readonly concurrency: number;
  /** A listener that runs longer no longer counts towards {@link concurrency}, so that a few that hang do not block the others. */
  readonly slowAfter: number;
  /** How long a claim lasts without renewal; after that another process takes over. */
  readonly lease: number;
  /** How often the claims of running listeners are renewed; well below {@link lease}. */
  readonly renewal: number;
  /** Delays after the first, second, … failed attempt; the last one repeats. */
  readonly backoff: readonly number[];
  /** Number of attempts before a delivery becomes a dead letter. */
  readonly attemptLimit: number;
  /**
   * How often due deliveries are polled without other triggers, because another process may have recorded an event. Each poll costs a few
   * index look-ups.
   */
  readonly sweep: number;
  /** Maximum time a shutdown waits for running listeners. */
  readonly shutdown: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The default settings. */
export const DELIVERY_SETTINGS: DeliverySettings = {
  concurrency: 8,
  slowAfter: 30 * SECOND,
  lease: 20 * SECOND,
  renewal: 5 * SECOND,
  backoff: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE],
  attemptLimit: 8,
  sweep: 2 * SECOND,
  shutdown: 10 * SECOND,
};

/** Returns the delay after failed attempt number `attempt` (from 1). */
export function deliveryBackoff(attempt: number, settings: DeliverySettings): number {
  return settings.backoff[Math.min(attempt, settings.backoff.length) - 1]!;
}
