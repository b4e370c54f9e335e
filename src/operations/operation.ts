import { SetMetadata } from '@nestjs/common';

import type { RateClass } from '../auth/index.js';
import type { Locale } from '../common/index.js';
import type { WireReply } from '../http/index.js';
import type { AuthPolicy, CallContext, Scope } from '../sdk/index.js';

import type { AuditLine } from './audit-log.js';
import type { OperationReply } from './answers/replies.js';

/** A form class: class-validator decorates its fields, which carry the wire names. */
export type InputClass<Input extends object = object> = new () => Input;

/** Declaration of a core operation; the panel does not start if a required property is missing. */
export interface OperationDeclaration {
  readonly side: Scope;
  /** Name on the wire; core names never start with `p_`. */
  readonly gn: string;
  /** Aliases of the operation, used by deployed programs. */
  readonly also?: readonly string[];
  /** Who may call it. `none` must be explicit. */
  readonly auth: 'none' | 'admin' | 'user';
  /** Form of its fields; {@link NoInput} for none. */
  readonly input: InputClass;
  /**
   * Text key of its line in the operation log (`{name}` placeholders are filled from the input's non-secret fields and the answer's
   * params); `null` for an operation that changes nothing.
   */
  readonly audit: string | null;
  /**
   * The operation writes its line itself, in the same transaction as its change: `AuditLog.add(lineOfCall(…))`. Without the line the change
   * is rolled back.
   */
  readonly writesLine?: true;
  /** Rate class per caller: `read` for operations that change nothing, `write` for others, stricter classes where needed. */
  readonly rate: RateClass;
  /**
   * Concerns only the caller's own account: allowed to every administrator regardless of role, and before a required second factor is set
   * up.
   */
  readonly own?: true;
  /** How it relates to servers; an operation without this is forbidden to administrators limited to some servers. */
  readonly servers?: ServerScope;
  /**
   * A caller with a second factor must have shown a code in the session within the last ten minutes: for paying out money, deleting sites,
   * revealing secrets or granting rights.
   */
  readonly secondProof?: true;
  /** The answer's `code` is 1 or 0 instead of the text: clients of this operation evaluate the number. */
  readonly numericCode?: boolean;
}

/** A field that names the object of an operation. */
export interface ServerField {
  /** Kind of object, as registered by its feature with {@link ServerScopes}: `host`, `server`, … */
  readonly of: string;
  readonly field: string;
  /** The field holds several ids; see {@link readIdList}. */
  readonly many?: true;
}

/**
 * How an operation relates to servers, for administrators limited to some: `listed` means that its list filters by itself; a field names
 * its object, and objects on other servers do not exist for them. Of several fields only those sent are checked; the operation rejects a
 * call without any.
 */
export type ServerScope = 'listed' | ServerField | readonly ServerField[];

/** For operations without fields. */
export class NoInput {}

/** A handler of a core operation. */
export type OperationHandler<Input extends object = object> = (input: Input, ctx: CallContext) => OperationReply | Promise<OperationReply>;

/** Metadata key of {@link Operation}. */
export const OPERATION_METADATA = 'svc:operation';

/**
 * Declares a provider's method as a core AJAX operation: discovered at start, run by the pipeline.
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
  /** As declared: a key of the language files, or a plugin's own text. */
  readonly text: string;
  /** Null if the answer says that nothing was done. */
  readonly line: (input: object, result: unknown) => AuditLine | null;
}

/** One entry of the registry. The pipeline treats all owners alike: differences are declared here. */
export interface OperationRecord {
  /** Owner of the code, to whom its errors are attributed. */
  readonly owner: string;
  readonly side: Scope;
  readonly name: string;
  readonly auth: AuthPolicy;
  readonly input: InputClass | null;
  readonly rate: RateClass;
  /** See {@link OperationDeclaration}. */
  readonly own?: true;
  readonly servers?: ServerScope;
  /** Another admin operation that the caller's role must allow as well. */
  readonly needs?: string;
  /** Plugin it belongs to: a role that allows the whole plugin allows it. */
  readonly partOf?: string;
  readonly secondProof?: true;
  /** Whether it is unavailable while the user panel is closed. */
  readonly closesWithUserPanel: boolean;
  readonly handle: (input: object, call: CallContext) => unknown;
  /** Converts the result of {@link handle} to an answer. */
  readonly answer: (result: unknown, locale: Locale) => OperationAnswer;
  /** Converts an error to an answer, and logs unexpected ones. */
  readonly failure: (error: unknown, locale: Locale) => OperationAnswer;
  /** Its line in the operation log; null for an operation that never writes one. */
  readonly audit: OperationAudit | null;
}
