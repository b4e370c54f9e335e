/** Subfolder of a site's folder in which a backup is unpacked during a restore. */
export const RESTORING = 'restoring';
/** Subfolder of the restoring folder with the complete files of a backup. */
export const NEXT = 'next';

/** Returns whether `error` means that a file does not exist. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
