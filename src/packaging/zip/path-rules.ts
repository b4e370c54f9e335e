import { isDeviceName } from '../../common/index.js';

import { PACKAGE_LIMITS } from '../package-limits.js';
import { PackageRefusal } from '../package-refusal.js';
import { hasInvisible } from '../printable.js';

const ABSOLUTE = /^(?:[/\\]|[a-z]:)/i;
/** Percent-encoded characters that a later layer might decode: dot, slash, backslash, NUL. */
const ENCODED = /%(?:2e|2f|5c|00|25)/i;

/**
 * Rejects a name that could escape from the target folder or means a different file on another system.
 *
 * @param name decoded; a folder's ends with `/`
 * @throws PackageRefusal ABSOLUTE_PATH, PATH_TRAVERSAL, NAME_CHARACTERS, NAME_TOO_LONG, NAME_NOT_PORTABLE
 */
export function checkPath(name: string): void {
  // Checks compatibility forms also: normalization turns full-width dots and slashes into real ones.
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

/** Two or more dots, even with spaces and dots that Windows strips from the end. */
function climbs(segment: string): boolean {
  return /^\s*\.[\s.]*\.[\s.]*$/.test(segment);
}

function isPortable(segment: string): boolean {
  // `__proto__` is a valid file name but unsafe as an object key.
  return segment !== '' && segment !== '__proto__' && !/[<>:"|?*\\]/.test(segment) && !/^\s|[\s.]$/.test(segment) && !isDeviceName(segment);
}
