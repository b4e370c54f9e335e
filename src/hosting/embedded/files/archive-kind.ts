/** What an archive is by the end of its name; null for none. */
export function archiveKind(name: string): 'zip' | 'tar.gz' | null {
  if (/\.zip$/i.test(name)) return 'zip';
  return /\.(?:tar\.gz|tgz)$/i.test(name) ? 'tar.gz' : null;
}
