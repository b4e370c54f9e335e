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
import type { ActionContext } from './action-handlers.js';
import { failed, failureOf } from '../failures.js';

/** A handler of any action. */
export type AnyHandler = (site: SiteRef | null, args: never, context: ActionContext) => Promise<ActionEnd>;

/** Reported result of an action. */
export type ActionReport = Omit<ActionSuccess, 'body'> | ActionFailure;

/**
 * Runs one of the known actions; anything else is refused.
 *
 * @param secrets decrypted secret arguments
 */
export async function runAction(
  handlers: Readonly<Record<ActionName, AnyHandler>>,
  { action, payload, secrets }: { action: string; payload: { site: unknown; args: unknown }; secrets: Readonly<Record<string, unknown>> },
  context: ActionContext,
): Promise<ActionReport> {
  try {
    if (!isAction(action)) return failed('refused', 'UNKNOWN_ACTION', `Unknown action ${clip(oneLine(action), 60)}. Update the agent.`);
    const { site, args } = readAction(action, payload, secrets);
    const end = await handlers[action](site, args as never, context);
    // The output of a site's process is controlled by the site's owner, so only fields of the declared result type are passed to the panel.
    return { outcome: end.outcome, value: actionOf(action).result.read(end.value, 'value') };
  } catch (error) {
    return failureOf(error);
  }
}
