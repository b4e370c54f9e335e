import type { Type } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';

import type { RateClass } from '../../auth/index.js';
import { MAX_ID } from '../../database/index.js';
import { type InputClass, type OperationDeclaration, WholeNumber } from '../../operations/index.js';
import type { Scope } from '../../sdk/index.js';

/** A form of an operation that both sides have: administrators name the host. */
export interface MaybeHost {
  readonly id?: number;
}

/**
 * Declares an operation on a site for one side.
 *
 * @param audit key of its line, null for one that changes nothing; the line of administrators, `<key>_of`, names the host
 */
export type DeclareSiteOperation = (gn: string, input: InputClass, audit: string | null, rate: RateClass) => OperationDeclaration;

/**
 * A class of operations on a site for each side, from one definition: the owner works on the own site, an administrator on any host he may
 * work on, whose `id` the form has.
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

/** The same form for administrators: with the host's id. */
function ofHost(form: InputClass): InputClass {
  class HostForm extends form {}
  for (const decorate of [WholeNumber(), IsInt(), Min(1), Max(MAX_ID)]) decorate(HostForm.prototype, 'id');
  return Object.defineProperty(HostForm, 'name', { value: `Host${form.name}` });
}
