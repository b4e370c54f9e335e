import { createHash } from 'node:crypto';
import { readFileSync, statSync, type Stats } from 'node:fs';

/** Cache size; one panel's plugins have fewer files. */
const MAX_KNOWN = 2_000;

const known = new Map<string, { readonly stamp: string; readonly version: string }>();

/** Returns part of the SHA-256 of a file's content, in hex; cached by size and time. Null if the file does not exist. */
export function assetVersion(file: string): string | null {
  const stat = statOf(file);
  if (!stat?.isFile()) return null;
  const stamp = `${stat.size}-${stat.mtimeMs}`;
  const before = known.get(file);
  if (before?.stamp === stamp) return before.version;
  const version = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(file, { stamp, version });
  return version;
}

/** Null for an invalid path as well. */
function statOf(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}
