import type { DriverAccount, DriverNode, DriverResult } from '../driver-types.js';

import { PortRefusal } from './port-problem.js';

/** Why a PHP version cannot be used: `PHP_MISSING` it is not installed on the server, `PHP_FIXED` the site cannot run PHP at all. */
export type PhpProblemCode = 'PHP_MISSING' | 'PHP_FIXED';

/** Returns the newest of some versions; undefined for an empty list. */
export function newestPhp(versions: readonly string[]): string | undefined {
  return [...versions].sort((a, b) => Number(a) - Number(b)).at(-1);
}

/** Thrown inside the port of PHP. */
export class PhpProblem extends PortRefusal<PhpProblemCode> {}

/**
 * PHP of sites on a kind of server. A version is two or three digits, `74` for 7.4 and `82` for 8.2. New sites get `DriverNode.defaultPhp`,
 * or the newest version if that is empty.
 */
export interface PhpPort {
  /** Installed versions sites can use, in any order. */
  versions(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<readonly string[]>>;
  /** The version of a site; empty if it has none and its files are served as they are. */
  current(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>>;
  /** Sets the version of a site. `already` if unchanged. Refuses with a {@link PhpProblemCode}. */
  use(account: DriverAccount, version: string, deadline: AbortSignal): Promise<DriverResult>;
}
