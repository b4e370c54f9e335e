import type { ActionArgs, ActionName, ActionResult, SiteRef } from '../../../../src/agents/wire/actions.js';
import type { ActionEnd } from '../action-result.js';
import type { OutgoingBody } from './bodies.js';

/** What an action runs with. */
export interface ActionTurn {
  /** Ends when its time is over, or the agent stops. */
  readonly stop: AbortSignal;
  /** Milliseconds until its time is over. */
  readonly leftMs: number;
  /** @param total 0 where it is not known */
  readonly progress: (done: number, total: number) => void;
  /** The body that came with it, wholly there and checked: a file only root reads. Null where none did. */
  readonly body: { readonly file: string; readonly bytes: number } | null;
  /** Sends a body to the panel. */
  readonly send: (body: OutgoingBody) => Promise<void>;
}

type OfServer = 'server.probe' | 'site.list' | 'php.versions' | 'backups.check' | 'logs.grown' | `agentlog.${string}`;
type SiteOf<Name extends ActionName> = Name extends OfServer ? null : SiteRef;

/** Does one action. */
export type ActionHandler<Name extends ActionName> = (
  site: SiteOf<Name>,
  args: ActionArgs<Name>,
  turn: ActionTurn,
) => Promise<ActionEnd<ActionResult<Name> extends Record<string, never> ? Record<string, never> : ActionResult<Name>>>;

/** Some of the table. */
export type ActionHandlers<Name extends ActionName> = { readonly [One in Name]: ActionHandler<One> };
