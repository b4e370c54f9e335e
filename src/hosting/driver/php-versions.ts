import type { DriverNode, DriverResult, HostDriver } from './host-driver.js';

/** PHP versions of a driver that has the capability `php` but no port for it. */
export interface PhpVersions {
  /** Installed versions new sites can use, such as `74` and `82`, in any order. */
  phpVersions(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<string[]>>;
}

/**
 * How a driver tells its PHP versions: by its port, or, of a plugin that only says which there are, by a
 * function; null for one without PHP.
 */
export function phpVersionsOf(
  driver: HostDriver,
): ((node: DriverNode, deadline: AbortSignal) => Promise<DriverResult<readonly string[]>>) | null {
  const { php } = driver;
  if (php) return (node, deadline) => php.versions(node, deadline);
  return hasVersions(driver) ? (node, deadline) => driver.phpVersions(node, deadline) : null;
}

function hasVersions(driver: HostDriver): driver is HostDriver & PhpVersions {
  return driver.capabilities.has('php') && 'phpVersions' in driver;
}
