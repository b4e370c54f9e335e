import type { Action } from './action.js';
import { siteRef } from './action-values.js';
import { DATABASE_ACTIONS } from './database-actions.js';
import { FILE_ACTIONS } from './file-actions.js';
import { LOG_ACTIONS } from './log-actions.js';
import { type ShapeOf, ShapeError } from './shape.js';
import { SITE_ACTIONS } from './site-actions.js';

export { LOG_KEYWORD, LOG_LEVELS, LOG_PART, type LogLevel } from './log-actions.js';

/**
 * All actions besides scans: a closed table that both sides validate against. An agent refuses anything else. Every action is idempotent:
 * repeating it with the same arguments has the same result.
 */
export const ACTIONS = { ...SITE_ACTIONS, ...FILE_ACTIONS, ...DATABASE_ACTIONS, ...LOG_ACTIONS } as const;

/** Name of an action; the `action` of its task. */
export type ActionName = keyof typeof ACTIONS;
/** Arguments of an action. */
export type ActionArgs<Name extends ActionName> = ShapeOf<(typeof ACTIONS)[Name]['args']>;
/** Result of an action. */
export type ActionResult<Name extends ActionName> = ShapeOf<(typeof ACTIONS)[Name]['result']>;
/** Reference to a site. */
export type SiteRef = ShapeOf<typeof siteRef>;

/** Capability of agents that support these actions; agents that only scan do not have it. */
export const SITES_CAPABILITY = 'sites';

/** Maximum length of JSON arguments and results in bytes; longer data is sent as a body. */
export const MAX_ACTION_BYTES = 48 * 1024;

/** Whether a name is that of an action. */
export function isAction(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}

/** Returns the declaration of an action. */
export function actionOf(name: ActionName): Action {
  return ACTIONS[name];
}

/** A transferred body. */
export interface ActionBody {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Payload of an action's task as delivered to the agent. */
export interface ActionPayload {
  /** Null for an action on the server. */
  readonly site: SiteRef | null;
  /** All arguments except secret ones. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Secret arguments, see `seal.ts`; null if there are none. */
  readonly sealed: string | null;
  /** Remaining time on delivery, in milliseconds. */
  readonly left: number;
  /** Description of the body `get_body` returns, for an action with a body to the server; the hash if known in advance. */
  readonly body: { readonly bytes: number | null; readonly sha256: string | null } | null;
}

/** `result` of the report of an action that succeeded. */
export interface ActionSuccess {
  /** `already`: nothing was left to do. */
  readonly outcome: 'ok' | 'already';
  readonly value: Readonly<Record<string, unknown>>;
  /** Body sent by `put_body`, for an action with a body to the panel. */
  readonly body: ActionBody | null;
}

/** `result` of the report of a failed action; `unknown`: it may have taken effect. */
export interface ActionFailure {
  readonly outcome: 'not_found' | 'refused' | 'unknown';
  /** Error code of the port, such as `NO_SPACE`; otherwise one of {@link COMMON_CODES}, or empty. */
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** For the panel's log; contains no secrets. At most 500 characters. */
  readonly message: string;
}

/**
 * Error codes common to all actions.
 * - `UNKNOWN_ACTION` not in the agent's table; `ARGUMENTS` invalid arguments; `LATE` the time limit was over before the start
 * - `FOREIGN` the site has another owner mark; `SITE_TAKEN` the name belongs to another owner's site
 * - `SCAN_ONLY` the server's owner allows only scans
 * - `CONFIG` a program rejected the configuration; `PROGRAM` a program failed; `MISSING_PROGRAM` it is not installed
 * - `DISK_FULL`; `BUSY` the site is occupied by a long operation; `BODY` the body differs from its description
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
 * Validates the payload of an action.
 *
 * @param secrets decrypted secrets; empty if there are none
 * @throws ShapeError
 */
export function readAction<Name extends ActionName>(
  name: Name,
  payload: { readonly site: unknown; readonly args: unknown },
  secrets: Readonly<Record<string, unknown>>,
): { site: SiteRef | null; args: ActionArgs<Name> } {
  const { of, secrets: secret, args } = actionOf(name);
  const open = typeof payload.args === 'object' && payload.args !== null ? (payload.args as Record<string, unknown>) : {};
  // A secret sent unsealed is compromised.
  if (secret.some((key) => key in open)) throw new ShapeError('args', 'contains a secret that is not encrypted');
  if (of === 'server' && payload.site !== null) throw new ShapeError('site', 'must be null');
  return {
    site: of === 'site' ? siteRef.read(payload.site, 'site') : null,
    args: args.read({ ...open, ...secrets }, 'args') as ActionArgs<Name>,
  };
}
