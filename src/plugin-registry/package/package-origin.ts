import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the file, in the folder of the plugin: it comes and goes with its files. */
export const ORIGIN_FILE = '.origin.json';
/** What lies beside it until the files have started well. */
export const UNPROVEN_FILE = '.unproven';

/** Where the files of a plugin come from. Of folders somebody put there by hand there is none. */
export interface PackageOrigin {
  /** Address of the store; empty: a ZIP somebody uploaded. */
  readonly store: string;
  readonly version: string;
  /** Of the ZIP. */
  readonly sha256: string;
  /** Names of permissions somebody agreed to. */
  readonly permissions: readonly string[];
  /** Migration steps that had run before these files came: a way back undoes the others. */
  readonly stepsBefore: readonly string[];
  /** Key of the author who signed it, SPKI in PEM; empty: nobody signed it. */
  readonly authorKey: string;
  /** Which order brought them: one that is carried out again has nothing left to do. Empty: unknown. */
  readonly order: string;
}

/** The origin of the files in a folder; null where there is none that can be read. */
export function originOf(folder: string): PackageOrigin | null {
  const path = join(folder, ORIGIN_FILE);
  // Most have none, and a file that is missed is an error, which costs more than a look.
  if (!existsSync(path)) return null;
  try {
    // Panels of before wrote no key and no order.
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
