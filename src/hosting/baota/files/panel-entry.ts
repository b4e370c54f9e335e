import type { SiteEntryType } from '../../driver/index.js';
import { isSafeName } from '../sites/index.js';

/** One thing in a folder, as a server panel lists it. */
export interface PanelEntry {
  readonly name: string;
  /** `other`: a link, or what no call may name. */
  readonly type: SiteEntryType;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * Reads `name;size;mtime;mode;user;link;…`. Names and the places links lead to may hold semicolons, so a line is taken for a file or a
 * folder only where everything stands where it belongs.
 */
export function readEntry(line: string, isFolder: boolean): PanelEntry {
  const [name = '', size = '', changed = '', mode = '', user = '', link] = line.split(';');
  const isPlain =
    isSafeName(name) &&
    /^\d{1,15}$/.test(size) &&
    /^\d{1,11}$/.test(changed) &&
    /^[0-7]{3,4}$/.test(mode) &&
    /^[\w.@-]*$/.test(user) &&
    link === '';
  if (!isPlain) return { name, type: 'other', size: 0, changedAt: 0 };
  return { name, type: isFolder ? 'folder' : 'file', size: isFolder ? 0 : Number(size), changedAt: Number(changed) * 1_000 };
}
