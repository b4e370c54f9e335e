import type { ActionArgs, ActionName, ActionResult, SiteRef } from '../../../../src/agents/wire/actions.js';
import type { ActionEnd } from '../action-result.js';
import type { OutgoingBody } from './bodies.js';

/** Context of a running action. */
export interface ActionContext {
  /** Aborted when the action times out or the agent stops. */
  readonly stop: AbortSignal;
  /** Milliseconds until the action times out. */
  readonly leftMs: number;
  /** @param total 0 if unknown */
  readonly progress: (done: number, total: number) => void;
  /** The request body, complete and verified, in a file only root can read. Null if the task has none. */
  readonly body: { readonly file: string; readonly bytes: number } | null;
  /** Sends a body to the panel. */
  readonly send: (body: OutgoingBody) => Promise<void>;
}

type OfServer = 'server.probe' | 'site.list' | 'php.versions' | 'backups.check' | 'logs.grown' | `agentlog.${string}`;
type SiteOf<Name extends ActionName> = Name extends OfServer ? null : SiteRef;

/** Runs one action. */
export type ActionHandler<Name extends ActionName> = (
  site: SiteOf<Name>,
  args: ActionArgs<Name>,
  context: ActionContext,
) => Promise<ActionEnd<ActionResult<Name> extends Record<string, never> ? Record<string, never> : ActionResult<Name>>>;

/** Handlers of a subset of the actions. */
export type ActionHandlers<Name extends ActionName> = { readonly [One in Name]: ActionHandler<One> };
