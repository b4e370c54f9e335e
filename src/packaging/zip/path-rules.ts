import { isDeviceName } from '../../common/index.js';

import { PACKAGE_LIMITS } from '../package-limits.js';
import { PackageRefusal } from '../package-refusal.js';
import { hasInvisible } from '../printable.js';

const ABSOLUTE = /^(?:[/\\]|[a-z]:)/i;
/** What a careless layer between here and a file might decode: dot, slash, backslash, NUL. */
const ENCODED = /%(?:2e|2f|5c|00|25)/i;

/**
 * Refuses a name that could lead out of the folder it is unpacked to, or means another file on another system.
 *
 * @param name decoded; a folder's ends with `/`
 * @throws PackageRefusal ABSOLUTE_PATH, PATH_TRAVERSAL, NAME_CHARACTERS, NAME_TOO_LONG, NAME_NOT_PORTABLE
 */
export function checkPath(name: string): void {
  // Compatibility forms count as well: a file system or tool that normalises turns full-width dots and slashes into real ones.
  for (const spelling of new Set([name, name.normalize('NFKC')])) {
    if (ABSOLUTE.test(spelling)) throw new PackageRefusal('ABSOLUTE_PATH', name);
    if (spelling.split(/[/\\]/).some(climbs) || ENCODED.test(spelling)) throw new PackageRefusal('PATH_TRAVERSAL', name);
  }
  if (hasInvisible(name) || name.includes('\ufffd')) throw new PackageRefusal('NAME_CHARACTERS', name);
  const segments = name.replace(/\/$/, '').split('/');
  if (
    Buffer.byteLength(name) > PACKAGE_LIMITS.pathBytes ||
    segments.length > PACKAGE_LIMITS.depth ||
    segments.some((segment) => Buffer.byteLength(segment) > PACKAGE_LIMITS.segmentBytes)
  ) {
    throw new PackageRefusal('NAME_TOO_LONG', name);
  }
  if (!segments.every(isPortable)) throw new PackageRefusal('NAME_NOT_PORTABLE', name);
}

/** Two dots or more, also with the spaces and dots Windows drops from the end. */
function climbs(segment: string): boolean {
  return /^\s*\.[\s.]*\.[\s.]*$/.test(segment);
}

function isPortable(segment: string): boolean {
  // `__proto__` is a name like any other on a disk, and the one that is not on a map of names.
  return segment !== '' && segment !== '__proto__' && !/[<>:"|?*\\]/.test(segment) && !/^\s|[\s.]$/.test(segment) && !isDeviceName(segment);
}
