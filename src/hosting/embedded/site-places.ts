/** In a site's folder: what a backup that is put back is unpacked to. */
export const RESTORING = 'restoring';
/** In a site's restoring folder: the files of a backup, all of them. */
export const NEXT = 'next';

/** Tells whether `error` says that a file is not there. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
