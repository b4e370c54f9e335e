import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the origin file in the plugin's folder: it is replaced together with the files. */
export const ORIGIN_FILE = '.origin.json';
/** Marker next to it until the files have started successfully. */
export const UNPROVEN_FILE = '.unproven';

/** Where the files of a plugin come from. Folders placed by hand have no origin. */
export interface PackageOrigin {
  /** URL of the store; empty for an uploaded ZIP. */
  readonly store: string;
  readonly version: string;
  /** SHA-256 of the ZIP. */
  readonly sha256: string;
  /** Names of the permissions granted by the administrator. */
  readonly permissions: readonly string[];
  /** Migration steps that had run before this version: a rollback undoes the others. */
  readonly stepsBefore: readonly string[];
  /** Public key of the signing author, SPKI in PEM; empty if unsigned. */
  readonly authorKey: string;
  /** The order that installed them, so that repeating it does nothing. Empty if unknown. */
  readonly order: string;
}

/** Reads the origin of the files in a folder; null if it is missing or unreadable. */
export function originOf(folder: string): PackageOrigin | null {
  const path = join(folder, ORIGIN_FILE);
  // Most folders have none, and throwing an error for a missing file costs more than this check.
  if (!existsSync(path)) return null;
  try {
    // Earlier versions wrote no key and no order.
    const {
      store,
      version,
      sha256,
      permissions,
      stepsBefore,
      authorKey = '',
      order = '',
    } = JSON.parse(readFileSync(path, 'utf8')) as Omit<PackageOrigin, 'authorKey' | 'order'> & Partial<PackageOrigin>;
    const isList = [permissions, stepsBefore].every((list) => Array.isArray(list) && list.every((item) => typeof item === 'string'));
    const isText = [store, version, sha256, authorKey, order].every((value) => typeof value === 'string');
    return isList && isText ? { store, version, sha256, permissions, stepsBefore, authorKey, order } : null;
  } catch {
    return null;
  }
}
