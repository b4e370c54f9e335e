import { PortRefusal } from '../../driver/index.js';

/** What the system said, of a disk that is full, say: what Node says of its own streams has codes that begin with `ERR_`. */
export function isOfTheSystem(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && code.startsWith('E') && !code.startsWith('ERR_');
}

/**
 * Waits for two ends of one piece of work, both of them, whatever happens: none goes on with what the other one's caller has closed.
 *
 * @throws what one of them failed with; where both did, what people can be told, else what the system said: that
 * the other end closed is no reason
 */
export async function both(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  const failures = (await Promise.allSettled([one, other])).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (failures.length === 0) return;
  throw failures.find((failure) => failure instanceof PortRefusal) ?? failures.find(isOfTheSystem) ?? failures[0];
}
