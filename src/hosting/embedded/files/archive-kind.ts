/** Format of an archive by the suffix of its name; null where it is none. */
export function archiveKind(name: string): 'zip' | 'tar.gz' | null {
  if (/\.zip$/i.test(name)) return 'zip';
  return /\.(?:tar\.gz|tgz)$/i.test(name) ? 'tar.gz' : null;
}
