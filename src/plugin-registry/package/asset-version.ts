import { createHash } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';

/** More than the plugins of one panel have. */
const MOST_KNOWN = 2_000;

const known = new Map<string, { readonly stamp: string; readonly version: string }>();

/** A part of the digest of a file's content, in hex, which is read again once the file is another one; null where there is no file. */
export function assetVersion(file: string): string | null {
  const stat = statOf(file);
  if (!stat?.isFile()) return null;
  const stamp = `${stat.size}-${stat.mtimeMs}`;
  const before = known.get(file);
  if (before?.stamp === stamp) return before.version;
  const version = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(file, { stamp, version });
  return version;
}

/** Null for what is no path either. */
function statOf(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}
