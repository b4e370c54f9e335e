import { RateLimited } from '../../auth/index.js';
import { PluginCallError, type Faults } from '../../common/index.js';
import { failureReply, HTML_TYPE, JSON_TYPE } from '../../http/index.js';
import { FormRefusal, OperationError, pluginLine, isFailure, type OperationAnswer, type OperationRecord } from '../../operations/index.js';

/** Declaration of a plugin's operation. */
export type PluginOperation = Pick<
  OperationRecord,
  'owner' | 'side' | 'name' | 'auth' | 'input' | 'rate' | 'secondProof' | 'needs' | 'handle'
> & {
  /** Text of its log line; null for none. */
  readonly audit: string | null;
};

/**
 * Returns the record of a plugin's operation. It stays open while the user panel is closed, because it may be unrelated to the panel; it
 * answers with the function's result; an error is attributed to the plugin and not disclosed.
 */
export function pluginOperation({ audit, ...operation }: PluginOperation, faults: Faults): OperationRecord {
  const { owner, name } = operation;
  return {
    ...operation,
    partOf: owner,
    closesWithUserPanel: false,
    answer: answerOf,
    failure: (error, locale) => {
      // Rejected by the panel before the plugin was called.
      if (error instanceof RateLimited || error instanceof OperationError) return { kind: 'json', reply: failureReply(error, locale) };
      // Rejected by the panel at the plugin's request.
      if (error instanceof FormRefusal) return { kind: 'json', reply: failureReply(error.reason, locale) };
      faults.report(owner, `operation ${name}`, error);
      const shown = error instanceof PluginCallError ? error : new OperationError('PLUGIN_FAILED');
      return { kind: 'json', reply: failureReply(shown, locale) };
    },
    audit: audit === null ? null : { text: audit, line: (_form, result) => (isFailure(result) ? null : pluginLine(owner, audit)) },
  };
}

function answerOf(result: unknown): OperationAnswer {
  if (result === undefined || result === null) return { kind: 'empty' };
  if (typeof result === 'string') return { kind: 'text', type: HTML_TYPE, body: result };
  // Serialized here, within the guarded call: a value that is not JSON is the plugin's error, not the panel's.
  if (typeof result === 'object') return { kind: 'text', type: JSON_TYPE, body: JSON.stringify(result) };
  throw new Error(`An operation must return an object or a string, not a ${typeof result}.`);
}
