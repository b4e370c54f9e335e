import type { DriverAccount, DriverNode, DriverResult } from '../driver-types.js';

import { PortRefusal } from './port-problem.js';

/** Why a version of PHP cannot be had: `PHP_MISSING` it is not installed on the server, `PHP_FIXED` the site cannot run PHP at all. */
export type PhpProblemCode = 'PHP_MISSING' | 'PHP_FIXED';

/** The newest of some versions; undefined where there is none. */
export function newestPhp(versions: readonly string[]): string | undefined {
  return [...versions].sort((a, b) => Number(a) - Number(b)).at(-1);
}

/** Thrown inside the port of PHP. */
export class PhpProblem extends PortRefusal<PhpProblemCode> {}

/**
 * PHP of sites on a kind of server. A version is two digits or three, `74` for 7.4 and `82` for 8.2. New sites get `DriverNode.defaultPhp`,
 * or the newest version where that is empty.
 */
export interface PhpPort {
  /** Installed versions sites can use, in any order. */
  versions(node: DriverNode, deadline: AbortSignal): Promise<DriverResult<readonly string[]>>;
  /** The version a site runs; empty: none, its files are sent as they are. */
  current(account: DriverAccount, deadline: AbortSignal): Promise<DriverResult<string>>;
  /** Makes a version the one of a site. The same again is `already`. Refuses with a {@link PhpProblemCode}. */
  use(account: DriverAccount, version: string, deadline: AbortSignal): Promise<DriverResult>;
}
