import type { Action } from './action.js';
import { siteRef } from './action-values.js';
import { DATABASE_ACTIONS } from './database-actions.js';
import { FILE_ACTIONS } from './file-actions.js';
import { LOG_ACTIONS } from './log-actions.js';
import { type ShapeOf, ShapeError } from './shape.js';
import { SITE_ACTIONS } from './site-actions.js';

export { LOG_KEYWORD, LOG_LEVELS, LOG_PART, type LogLevel } from './log-actions.js';

/**
 * Everything a panel can ask an agent for besides scans: a closed table, which both sides check by. An agent refuses what is not in it, and
 * every action that is not declared `by` somebody. Every action is idempotent: repeated with the same arguments it comes to the same end.
 */
export const ACTIONS = { ...SITE_ACTIONS, ...FILE_ACTIONS, ...DATABASE_ACTIONS, ...LOG_ACTIONS } as const;

/** Name of an action; the `action` of its task. */
export type ActionName = keyof typeof ACTIONS;
/** Arguments of an action. */
export type ActionArgs<Name extends ActionName> = ShapeOf<(typeof ACTIONS)[Name]['args']>;
/** What an action answers. */
export type ActionResult<Name extends ActionName> = ShapeOf<(typeof ACTIONS)[Name]['result']>;
/** The site an action is about. */
export type SiteRef = ShapeOf<typeof siteRef>;

/** What an agent names that does these actions; without it there is none. One that only scans never names it. */
export const SITES_CAPABILITY = 'sites';

/** Longest JSON text of arguments and of results, in bytes; what is longer travels as a body. */
export const MOST_ACTION_BYTES = 48 * 1024;

/** Whether it is the name of an action. */
export function isAction(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}

/** The entry of an action. */
export function actionOf(name: ActionName): Action {
  return ACTIONS[name];
}

/** A body that comes with an action. */
export interface ActionBody {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Payload of the task of an action, as it is handed out. */
export interface ActionPayload {
  /** Of an action about a site. */
  readonly site: SiteRef | null;
  /** All arguments but the secret ones. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The secret ones: see `seal.ts`. Null where the action has none. */
  readonly sealed: string | null;
  /** Milliseconds left when it was handed out. */
  readonly left: number;
  /** What `get_body` gives, of an action whose body goes to the server; its hash where it is known before. */
  readonly body: { readonly bytes: number | null; readonly sha256: string | null } | null;
}

/** `result` of the report of an action that succeeded. */
export interface ActionSuccess {
  /** `already`: there was nothing left to do. */
  readonly outcome: 'ok' | 'already';
  readonly value: Readonly<Record<string, unknown>>;
  /** What was sent by `put_body`, of an action whose body goes to the panel. */
  readonly body: ActionBody | null;
}

/** `result` of the report of an action that failed; `unknown`: it may have taken effect or not. */
export interface ActionFailure {
  readonly outcome: 'not_found' | 'refused' | 'unknown';
  /** A code of the port, such as `NO_SPACE`; else one of {@link COMMON_CODES}, or empty. */
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** For the log of the panel; no secret. At most 500 characters. */
  readonly message: string;
}

/**
 * Codes any action may be refused with.
 * - `UNKNOWN_ACTION` not in the agent's table; `ARGUMENTS` not of the shape; `LATE` its time was over before it began
 * - `FOREIGN` the site carries another mark; `SITE_TAKEN` a site of that name is somebody else's
 * - `SCAN_ONLY` the owner of the server allowed nothing but scans
 * - `CONFIG` a program would not load its configuration with this; `PROGRAM` a program failed; `MISSING_PROGRAM` it is not installed
 * - `DISK_FULL`; `BUSY` something else is at the same site for long; `BODY` it did not come as it was announced
 */
export const COMMON_CODES = [
  'UNKNOWN_ACTION',
  'ARGUMENTS',
  'LATE',
  'FOREIGN',
  'SITE_TAKEN',
  'SCAN_ONLY',
  'CONFIG',
  'PROGRAM',
  'MISSING_PROGRAM',
  'DISK_FULL',
  'BUSY',
  'BODY',
] as const;

/**
 * The payload of a task as its action has it, checked.
 *
 * @param secrets what was sealed; empty where nothing was
 * @throws ShapeError
 */
export function readAction<Name extends ActionName>(
  name: Name,
  payload: { readonly site: unknown; readonly args: unknown },
  secrets: Readonly<Record<string, unknown>>,
): { site: SiteRef | null; args: ActionArgs<Name> } {
  const { of, secrets: secret, args } = actionOf(name);
  const open = typeof payload.args === 'object' && payload.args !== null ? (payload.args as Record<string, unknown>) : {};
  // A secret that was not sealed is none any more.
  if (secret.some((key) => key in open)) throw new ShapeError('args', 'has a secret that is not sealed');
  if (of === 'server' && payload.site !== null) throw new ShapeError('site', 'must be null');
  return {
    site: of === 'site' ? siteRef.read(payload.site, 'site') : null,
    args: args.read({ ...open, ...secrets }, 'args') as ActionArgs<Name>,
  };
}
