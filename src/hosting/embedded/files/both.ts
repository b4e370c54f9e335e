import { FileProblem } from '../../driver/index.js';

/**
 * Waits for two ends of one piece of work, both of them, whatever happens: none goes on with what the other one's caller has closed.
 *
 * @throws what one of them failed with; where both did, what people can be told
 */
export async function both(one: Promise<unknown>, other: Promise<unknown>): Promise<void> {
  const failures = (await Promise.allSettled([one, other])).flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (failures.length > 0) throw failures.find((failure) => failure instanceof FileProblem) ?? failures[0];
}
