import { PackageRefusal } from '../package-refusal.js';

interface Place {
  /** As it was first spelt, without a slash at the end. */
  readonly spelling: string;
  readonly isFolder: boolean;
  /** Listed by itself, not only as the folder of something. */
  readonly listed: boolean;
}

/**
 * Refuses names that are one file on some system: the same twice, or differing in case or Unicode form only, or a file
 * where another name needs a folder.
 *
 * @param names decoded; a folder's ends with `/`
 * @throws PackageRefusal DUPLICATE_NAME, NAME_COLLISION
 */
export function checkCollisions(names: Iterable<string>): void {
  const places = new Map<string, Place>();
  for (const name of names) {
    const isFolder = name.endsWith('/');
    const segments = (isFolder ? name.slice(0, -1) : name).split('/');
    for (let depth = 1; depth <= segments.length; depth++) {
      const listed = depth === segments.length;
      add(places, { spelling: segments.slice(0, depth).join('/'), isFolder: isFolder || !listed, listed }, name);
    }
  }
}

function add(places: Map<string, Place>, place: Place, name: string): void {
  const key = fold(place.spelling);
  const other = places.get(key);
  if (other === undefined) places.set(key, place);
  else if (other.spelling !== place.spelling || other.isFolder !== place.isFolder) {
    throw new PackageRefusal('NAME_COLLISION', name, { other: other.spelling });
  } else if (other.listed && place.listed) throw new PackageRefusal('DUPLICATE_NAME', name);
  else if (place.listed) places.set(key, place);
}

/** What is equal here may be one file on Windows or macOS. */
function fold(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
