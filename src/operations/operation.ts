import { SetMetadata } from '@nestjs/common';

import type { RateClass } from '../auth/index.js';
import type { Locale } from '../common/index.js';
import type { WireReply } from '../http/index.js';
import type { AuthPolicy, CallContext, Scope } from '../sdk/index.js';

import type { AuditLine } from './audit-log.js';
import type { OperationReply } from './answers/replies.js';

/** A form class: class-validator decorates its fields, which carry the wire names. */
export type InputClass<Input extends object = object> = new () => Input;

/** Declaration of a core operation; the panel does not start with one that leaves a required property out. */
export interface OperationDeclaration {
  readonly side: Scope;
  /** Name on the wire; core names never start with `p_`. */
  readonly gn: string;
  /** Other names of the very same operation, which deployed programs use. */
  readonly also?: readonly string[];
  /** Who may call it. `none` must be said, it is never assumed. */
  readonly auth: 'none' | 'admin' | 'user';
  /** Form of its fields; {@link NoInput} where it takes none. */
  readonly input: InputClass;
  /**
   * Text key of its line in the operation log (`{name}` places are filled from the input's non-secret fields and the answer's params);
   * `null` for one that changes nothing.
   */
  readonly audit: string | null;
  /** It writes its line itself, with what it does, in one transaction: `AuditLog.add(lineOfCall(…))`. Without the line nothing was done. */
  readonly writesLine?: true;
  /** How often one caller may run it: `read` for what changes nothing, `write` for what does, others where that is too much. */
  readonly rate: RateClass;
  /**
   * It concerns the caller's own account alone: every administrator may, whatever his role, and who has yet to
   * set up a second factor may too.
   */
  readonly own?: true;
  /** What it has to do with servers; an operation that says nothing is refused to administrators who are limited to some. */
  readonly servers?: ServerScope;
  /**
   * Who has a second factor must have shown a code in his session within the last ten minutes: money leaves, sites are deleted, a
   * secret is told or powers are given.
   */
  readonly secondProof?: true;
  /** The answer's `code` is 1 or 0 and not the text: clients of this operation decide by the number. */
  readonly numericCode?: boolean;
}

/** A field that names what an operation works on. */
export interface ServerField {
  /** Kind of thing the field names, as its feature tells {@link ServerScopes}: `host`, `server`, … */
  readonly of: string;
  readonly field: string;
  /** The field holds several ids; see {@link readIdList}. */
  readonly many?: true;
}

/**
 * What an operation has to do with servers, for administrators who are limited to some: `listed` leaves the others out by itself; a field
 * names what it works on, and what is on another server is, to them, not there. Of several fields those count that are sent; the
 * operation refuses a call with none.
 */
export type ServerScope = 'listed' | ServerField | readonly ServerField[];

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
 * list(input: ListInput): Promise<ListReply> { … }
 * ```
 */
export const Operation = (declaration: OperationDeclaration): MethodDecorator => SetMetadata(OPERATION_METADATA, declaration);

/** Answer of an operation as its entry point sends it. */
export type OperationAnswer = { kind: 'json'; reply: WireReply } | { kind: 'text'; type: string; body: string } | { kind: 'empty' };

/** How an operation writes its line in the operation log. */
export interface OperationAudit {
  /** As it was declared: a key of the language files, or a plugin's own words. */
  readonly text: string;
  /** Null where the answer says that nothing was done. */
  readonly line: (input: object, result: unknown) => AuditLine | null;
}

/** One entry of the registry. Whose operation it is makes no difference to the pipeline: what differs is said here. */
export interface OperationRecord {
  /** Whose code runs; blamed for what goes wrong in it. */
  readonly owner: string;
  readonly side: Scope;
  readonly name: string;
  readonly auth: AuthPolicy;
  readonly input: InputClass | null;
  readonly rate: RateClass;
  /** As of {@link OperationDeclaration}. */
  readonly own?: true;
  readonly servers?: ServerScope;
  /** An operation of the admin side that the role of the caller has to allow as well. */
  readonly needs?: string;
  /** The plugin it is part of: a role that allows all of the plugin allows it. */
  readonly partOf?: string;
  readonly secondProof?: true;
  /** Whether the switch that closes the user panel closes it too. */
  readonly closesWithUserPanel: boolean;
  readonly handle: (input: object, call: CallContext) => unknown;
  /** Makes the answer of what {@link handle} returned. */
  readonly answer: (result: unknown, locale: Locale) => OperationAnswer;
  /** Makes the answer of what was thrown on the way, and reports what somebody has to know of. */
  readonly failure: (error: unknown, locale: Locale) => OperationAnswer;
  /** Its line in the operation log; null for an operation that never writes one. */
  readonly audit: OperationAudit | null;
}
