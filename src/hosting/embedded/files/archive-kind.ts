/** Returns the archive format by the suffix of the name; null if it is not an archive. */
export function archiveKind(name: string): 'zip' | 'tar.gz' | null {
  if (/\.zip$/i.test(name)) return 'zip';
  return /\.(?:tar\.gz|tgz)$/i.test(name) ? 'tar.gz' : null;
}
