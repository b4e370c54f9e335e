import type { Type } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

import type { RateClass } from '../../auth/index.js';
import { MAX_ID } from '../../database/index.js';
import { type InputClass, type OperationDeclaration, WholeNumber } from '../../operations/index.js';
import type { Scope } from '../../sdk/index.js';

/** Input of an operation that exists on both sides; administrators name the host. */
export interface MaybeHost {
  readonly id?: number;
}

/**
 * Declares an operation on a site for one side.
 *
 * @param audit key of its log entry, null for a read-only operation; the entry of administrators, `<key>_of`, names the host
 */
export type DeclareSiteOperation = (gn: string, input: InputClass, audit: string | null, rate: RateClass) => OperationDeclaration;

/**
 * Creates a class of operations on a site for each side from one definition: owners work on their own site, administrators on any allowed
 * host, given as `id` in the input.
 *
 * @example
 * ```ts
 * export const fileViewOperations = siteOperations((on) => {
 *   class FileViewOperations {
 *     \@Operation(on('listfile', FileListInput, null, 'read'))
 *     async list(input: FileListInput & MaybeHost, ctx: CallContext): Promise<RawReply> { … }
 *   }
 *   return FileViewOperations;
 * });
 * ```
 */
export function siteOperations(make: (on: DeclareSiteOperation, side: Scope) => Type<object>): readonly Type<object>[] {
  return (['admin', 'user'] as const).map((side) => {
    const made = make(declaredOn(side), side);
    return Object.defineProperty(made, 'name', { value: `${side === 'admin' ? 'Admin' : 'User'}${made.name}` });
  });
}

function declaredOn(side: Scope): DeclareSiteOperation {
  return (gn, input, audit, rate) =>
    side === 'admin'
      ? { side, gn, auth: side, input: ofHost(input), audit: audit && `${audit}_of`, rate, servers: { of: 'host', field: 'id' } }
      : { side, gn, auth: side, input, audit, rate };
}

/** Adds the host's id to the input of administrators. */
function ofHost(form: InputClass): InputClass {
  class HostForm extends form {}
  for (const decorate of [WholeNumber(), IsInt(), Min(1), Max(MAX_ID)]) decorate(HostForm.prototype, 'id');
  return Object.defineProperty(HostForm, 'name', { value: `Host${form.name}` });
}
