import type { DriverNode, DriverResult, HostDriver } from './host-driver.js';

/** PHP versions of a driver with the capability `php` but without its port. */
export interface PhpVersions {
  /** Installed versions new sites can use, such as `74` and `82`, in any order. */
  phpVersions(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<string[]>>;
}

/**
 * Returns a function that reads a driver's PHP versions: from its port, or from a plugin that only lists them; null for a driver without
 * PHP.
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
