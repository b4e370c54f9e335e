/** Why a port refused, where that is known: a code of the port's own, so that the panel says it in its words. */
export interface PortProblem<Code extends string = string> {
  readonly code: Code;
  /** Values for the places of the words. */
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Thrown inside ports; answered as `refused` with what it says. */
export abstract class PortRefusal<Code extends string = string> extends Error implements PortProblem<Code> {
  constructor(
    readonly code: Code,
    readonly params: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}
