import { RateLimited } from '../../auth/index.js';
import { PluginCallError, type Faults } from '../../common/index.js';
import { failureReply, HTML_TYPE, JSON_TYPE } from '../../http/index.js';
import { FormRefusal, OperationError, pluginLine, refuses, type OperationAnswer, type OperationRecord } from '../../operations/index.js';

/** What a plugin says of its operation. */
export type PluginOperation = Pick<
  OperationRecord,
  'owner' | 'side' | 'name' | 'auth' | 'input' | 'rate' | 'secondProof' | 'needs' | 'handle'
> & {
  /** The text of its line in the log; null for none. */
  readonly audit: string | null;
};

/**
 * The record of a plugin's operation: open while the user panel is closed, because what it offers there may be none of the panel's; answers
 * with what the function returned; what it throws is the plugin's fault, and nothing of it is told.
 */
export function pluginOperation({ audit, ...operation }: PluginOperation, faults: Faults): OperationRecord {
  const { owner, name } = operation;
  return {
    ...operation,
    partOf: owner,
    closesWithUserPanel: false,
    answer: answerOf,
    failure: (error, locale) => {
      // What the panel refused before the plugin was asked.
      if (error instanceof RateLimited || error instanceof OperationError) return { kind: 'json', reply: failureReply(error, locale) };
      // What the plugin had the panel refuse.
      if (error instanceof FormRefusal) return { kind: 'json', reply: failureReply(error.reason, locale) };
      faults.report(owner, `operation ${name}`, error);
      const told = error instanceof PluginCallError ? error : new OperationError('PLUGIN_FAILED');
      return { kind: 'json', reply: failureReply(told, locale) };
    },
    audit: audit === null ? null : { text: audit, line: (_form, result) => (refuses(result) ? null : pluginLine(owner, audit)) },
  };
}

function answerOf(result: unknown): OperationAnswer {
  if (result === undefined || result === null) return { kind: 'empty' };
  if (typeof result === 'string') return { kind: 'text', type: HTML_TYPE, body: result };
  // Written here, inside the plugin's responsibility: a value that is no JSON is its failure, not the panel's.
  if (typeof result === 'object') return { kind: 'text', type: JSON_TYPE, body: JSON.stringify(result) };
  throw new Error(`An operation answers with an object or a string, not with a ${typeof result}.`);
}
