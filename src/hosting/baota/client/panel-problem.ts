import { type DriverResult, PortRefusal, type ServerProblemCode } from '../../driver/index.js';

/** A call to a server panel that did not do what it was to do: thrown inside the driver, answered by {@link answering}. */
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

/** The panel said no in words of its own. */
export function refusal(message: string): PanelProblem {
  return new PanelProblem({ outcome: 'refused', message });
}

/** A {@link PanelProblem} for what keeps a server from doing anything at all, with values for the places of its text. */
export function serverProblem(code: ServerProblemCode, params: Readonly<Record<string, string | number>> = {}): PanelProblem {
  return new PanelProblem({ outcome: 'refused', message: code, problem: { code, params } });
}

/** Runs `work` as a driver call: a {@link PanelProblem} becomes a result. */
export async function answering<Value>(work: () => Promise<Value>): Promise<DriverResult<Value>> {
  return answeringAll(async () => ({ outcome: 'ok', value: await work() }));
}

/** The same of work that says itself whether it had anything to do. */
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
