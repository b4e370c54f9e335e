import type { SiteEntryType } from '../../driver/index.js';
import { isSafeName } from '../sites/index.js';

/** An entry of a folder as a server panel lists it. */
export interface PanelEntry {
  readonly name: string;
  /** `other` is a link, or an entry whose name must not be used in calls. */
  readonly type: SiteEntryType;
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * Parses `name;size;mtime;mode;user;link;…`. Names and link targets may contain semicolons, so a line counts as a file or folder only if
 * every field is valid.
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
