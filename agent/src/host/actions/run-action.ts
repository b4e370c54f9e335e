import {
  actionOf,
  type ActionFailure,
  type ActionName,
  type ActionSuccess,
  isAction,
  readAction,
  type SiteRef,
} from '../../../../src/agents/wire/actions.js';
import { clip, oneLine } from '../../text.js';
import type { ActionEnd } from '../action-result.js';
import type { ActionTurn } from './action-handlers.js';
import { failed, failureOf } from '../failures.js';

/** A handler, whatever its action. */
export type AnyHandler = (site: SiteRef | null, args: never, turn: ActionTurn) => Promise<ActionEnd>;

/** What an action came to, as it is reported. */
export type ActionReport = Omit<ActionSuccess, 'body'> | ActionFailure;

/**
 * Does an action of the table, and nothing else.
 *
 * @param secrets what was sealed
 */
export async function runAction(
  handlers: Readonly<Record<ActionName, AnyHandler>>,
  { action, payload, secrets }: { action: string; payload: { site: unknown; args: unknown }; secrets: Readonly<Record<string, unknown>> },
  turn: ActionTurn,
): Promise<ActionReport> {
  try {
    if (!isAction(action)) return failed('refused', 'UNKNOWN_ACTION', `There is no action ${clip(oneLine(action), 60)}.`);
    const { site, args } = readAction(action, payload, secrets);
    const end = await handlers[action](site, args as never, turn);
    // What a process of a site says is what its owner may have had it say: nothing else goes to the panel either.
    return { outcome: end.outcome, value: actionOf(action).result.read(end.value, 'value') };
  } catch (error) {
    return failureOf(error);
  }
}
