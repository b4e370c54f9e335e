import type { DriverNode, DriverResult, HostDriver } from './host-driver.js';

/** What a driver with the capability `php` offers besides. */
export interface PhpVersions {
  /** Installed versions new sites can use, such as `74` and `82`, in any order. */
  phpVersions(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<string[]>>;
}

/** Whether a driver knows PHP versions. */
export function hasPhp(driver: HostDriver): driver is HostDriver & PhpVersions {
  return driver.capabilities.has('php') && 'phpVersions' in driver;
}
