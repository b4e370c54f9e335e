import { PortRefusal } from '../../driver/index.js';

/**
 * Returns whether an error comes from the operating system, such as a full disk. Node's own stream errors have codes that begin with
 * `ERR_`.
 */
export function isSystemError(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && code.startsWith('E') && !code.startsWith('ERR_');
}

/**
 * Waits until both ends of one piece of work have settled, even if one fails, so that neither keeps using what the caller of the other has
 * closed.
 *
 * @throws the error of the one that failed. If both failed: an error meant for people, otherwise the operating system's, because a
 * premature close is only a consequence
 */
export async function waitForBoth(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  const failures = (await Promise.allSettled([one, other])).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (failures.length === 0) return;
  throw failures.find((failure) => failure instanceof PortRefusal) ?? failures.find(isSystemError) ?? failures[0];
}
