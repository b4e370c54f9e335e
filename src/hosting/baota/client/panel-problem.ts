import { type DriverResult, PortRefusal, type ServerProblemCode } from '../../driver/index.js';

/** A failed call to a server panel: thrown inside the driver, turned into a result by {@link answering}. */
export class PanelProblem extends Error {
  constructor(
    readonly result: Exclude<DriverResult, { outcome: 'ok' | 'already' }>,
    options?: ErrorOptions,
  ) {
    super('message' in result ? result.message : result.outcome, options);
  }
}

/** The site is not on the server. */
export const SITE_GONE = new PanelProblem({ outcome: 'not_found' });

/** The panel refused with a message of its own. */
export function refusal(message: string): PanelProblem {
  return new PanelProblem({ outcome: 'refused', message });
}

/** A {@link PanelProblem} for a general problem of a server, with the parameters of its text. */
export function serverProblem(code: ServerProblemCode, params: Readonly<Record<string, string | number>> = {}): PanelProblem {
  return new PanelProblem({ outcome: 'refused', message: code, problem: { code, params } });
}

/** Runs `work` as a driver call: a {@link PanelProblem} becomes a result. */
export async function answering<Value>(work: () => Promise<Value>): Promise<DriverResult<Value>> {
  return answeringAll(async () => ({ outcome: 'ok', value: await work() }));
}

/** As {@link answering}, for work that reports itself whether there was anything to do. */
export async function answeringAll<Value>(work: () => Promise<DriverResult<Value>>): Promise<DriverResult<Value>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PanelProblem) return error.result;
    if (error instanceof PortRefusal)
      return { outcome: 'refused', message: error.code, problem: { code: String(error.code), params: error.params } };
    throw error;
  }
}
