/** A service the agent controls. `php:82` is the PHP-FPM master of one version, used by the agent's sites only. */
export type ServiceName = 'nginx' | 'ssh' | `php:${string}`;

/**
 * Starts and stops services: as systemd units where systemd runs, as plain processes elsewhere. All calls are idempotent.
 *
 * @throws HostRefusal `PROGRAM` if the service fails to do so
 */
export interface Services {
  isRunning(name: ServiceName): Promise<boolean>;
  start(name: ServiceName): Promise<void>;
  stop(name: ServiceName): Promise<void>;
  /** Reloads the configuration without losing a request; starts the service if it is not running. */
  reload(name: ServiceName): Promise<void>;
  /** Makes nginx reopen its log files after a rename. */
  reopenLogs(): Promise<void>;
}

/** Returns the PHP version in the name of a service; null for other services. */
export function phpOf(name: ServiceName): string | null {
  return name.startsWith('php:') ? name.slice('php:'.length) : null;
}
