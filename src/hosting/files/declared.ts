import type { RateClass } from '../../auth/index.js';
import type { InputClass, OperationDeclaration } from '../../operations/index.js';

/** An operation on the own site. @param audit key of its line, null for one that changes nothing */
export function onOwn(gn: string, input: InputClass, audit: string | null, rate: RateClass): OperationDeclaration {
  return { side: 'user', gn, auth: 'user', input, audit, rate };
}

/** The same on the site of any host an administrator may work on; its form has the host's `id`. */
export function onHost(gn: string, input: InputClass, audit: string | null, rate: RateClass): OperationDeclaration {
  return { side: 'admin', gn, auth: 'admin', input, audit, rate, servers: { of: 'host', field: 'id' } };
}
