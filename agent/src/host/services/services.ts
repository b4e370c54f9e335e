/** A service of this server the agent has a hand in. `php:82` is the master of all pools of one version, which is ours alone. */
export type ServiceName = 'nginx' | 'ssh' | `php:${string}`;

/**
 * Starts and stops services: of systemd where it runs, as processes of their own where it does not. Everything may be repeated.
 *
 * @throws HostRefusal `PROGRAM` where the service does not do it
 */
export interface Services {
  isRunning(name: ServiceName): Promise<boolean>;
  start(name: ServiceName): Promise<void>;
  stop(name: ServiceName): Promise<void>;
  /** Has it read its configuration again, without a request that is lost; starts one that does not run. */
  reload(name: ServiceName): Promise<void>;
  /** Has nginx open its logs again, which were given other names. */
  reopenLogs(): Promise<void>;
}

/** Version of PHP in the name of a service; null of another one. */
export function phpOf(name: ServiceName): string | null {
  return name.startsWith('php:') ? name.slice('php:'.length) : null;
}
