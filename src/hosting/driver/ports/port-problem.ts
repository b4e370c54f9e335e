/** Why a port refused, if known: a code of the port, for which the panel has a text. */
export interface PortProblem<Code extends string = string> {
  readonly code: Code;
  /** Parameters of the text. */
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Thrown inside ports; becomes the result `refused` with its code. */
export abstract class PortRefusal<Code extends string = string> extends Error implements PortProblem<Code> {
  constructor(
    readonly code: Code,
    readonly params: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}
