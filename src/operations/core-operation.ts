import { CORE_OWNER, AppError, type TextParams } from '../common/index.js';
import { failureReply, TEXT_TYPE } from '../http/index.js';
import type { Scope } from '../sdk/index.js';

import { auditLine } from './operation-line.js';
import { codedReply, isFailure, successReply } from './answers/envelope.js';
import { OperationError } from './errors.js';
import { NoInput, type OperationDeclaration, type OperationHandler, type OperationRecord } from './operation.js';
import { RawReply, SuccessReply, TextReply } from './answers/replies.js';

/** Returns the record of a core operation: closed with the user panel, answered in the envelope, logged in every language. */
export function coreOperation(declaration: OperationDeclaration, handle: OperationHandler): OperationRecord {
  const { side, gn, auth, input, audit, rate, own, servers, secondProof, writesLine } = declaration;
  return {
    owner: CORE_OWNER,
    side,
    name: gn,
    auth,
    input,
    rate,
    own,
    servers,
    secondProof,
    closesWithUserPanel: side === 'user',
    handle,
    answer: (result, locale) =>
      result instanceof TextReply
        ? { kind: 'text', type: TEXT_TYPE, body: result.body }
        : { kind: 'json', reply: codedReply(successReply(result, locale), declaration) },
    failure: (error, locale) => {
      const shown = side === 'user' && error instanceof AppError ? error.forOwner : error;
      return { kind: 'json', reply: codedReply(failureReply(shown, locale), declaration) };
    },
    audit:
      audit === null
        ? null
        : {
            text: audit,
            line: (form, result) =>
              writesLine || reportsFailure(result) ? null : auditLine(audit, { ...auditParams(form), ...replyParams(result) }),
          },
  };
}

/** Returns the record for unknown names. It has the auth policy of its side, so that strangers cannot find out which operations exist. */
export function unknownOperation(side: Scope): OperationRecord {
  return coreOperation({ side, gn: '', auth: side, input: NoInput, audit: null, rate: 'read' }, () => {
    throw new OperationError(side === 'admin' ? 'UNKNOWN_ADMIN_OPERATION' : 'UNKNOWN_USER_OPERATION');
  });
}

const SECRET_FIELD = /pass|pwd|secret|key|token|code/i;

function auditParams(input: object): TextParams {
  const params: TextParams = {};
  for (const [name, value] of Object.entries(input)) {
    if (SECRET_FIELD.test(name) || value === null || value === undefined) continue;
    params[name] = typeof value === 'number' ? value : String(value).slice(0, 100);
  }
  return params;
}

/** Whether an answer with its own shape reports that nothing was done. */
function reportsFailure(result: unknown): boolean {
  return result instanceof RawReply && isFailure(result.body);
}

/** Values only the answer knows, such as the name of an id or a count. */
function replyParams(result: unknown): TextParams {
  return result instanceof SuccessReply || result instanceof RawReply ? result.params : {};
}
