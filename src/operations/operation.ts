import { SetMetadata } from '@nestjs/common';

import type { RateClass } from '../auth/index.js';
import type { AuthPolicy, CallContext, Scope } from '../sdk/index.js';

import type { OperationReply } from './replies.js';

/** A form class: class-validator decorates its fields, which carry the wire names. */
export type InputClass<Input extends object = object> = new () => Input;

/** What every core operation declares; an operation that leaves one of these out does not boot. */
export interface OperationDeclaration {
  readonly side: Scope;
  /** Name on the wire; core names never start with `p_`. */
  readonly gn: string;
  /** Who may call it. `none` must be said, it is never assumed. */
  readonly auth: 'none' | 'admin' | 'user';
  /** Form of its fields; {@link NoInput} where it takes none. */
  readonly input: InputClass;
  /** Text key of its line in the operation log (`{name}` places are filled from the input's non-secret fields and the answer's params); `null` for one that changes nothing. */
  readonly audit: string | null;
  /** How often one caller may run it: `read` for what changes nothing, `write` for what does, others where that is too much. */
  readonly rate: RateClass;
  /** The answer's `code` is 1 or 0 and not the text: clients of this operation decide by the number. */
  readonly numericCode?: boolean;
}

/** For operations without fields. */
export class NoInput {}

/** A handler of a core operation. */
export type OperationHandler<Input extends object = object> = (input: Input, ctx: CallContext) => OperationReply | Promise<OperationReply>;

/** Metadata key of {@link Operation}. */
export const OPERATION_METADATA = 'svc:operation';

/**
 * Declares a provider's method as a core AJAX operation: found at start, run by the pipeline.
 *
 * @example
 * ```ts
 * @Operation({ side: 'admin', gn: 'listdd', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
 * list(input: ListInput): Promise<Page> { … }
 * ```
 */
export const Operation = (declaration: OperationDeclaration): MethodDecorator => SetMetadata(OPERATION_METADATA, declaration);

/** One entry of the registry: core or plugin, the pipeline does not ask which. */
export interface OperationRecord {
  readonly owner: string;
  readonly side: Scope;
  readonly name: string;
  readonly auth: AuthPolicy;
  readonly input: InputClass | null;
  /** Text key of a core operation, the text itself of a plugin's. */
  readonly audit: string | null;
  readonly rate: RateClass;
  readonly numericCode?: boolean;
  readonly handle: (input: object, ctx: CallContext) => unknown;
}
