import { AppError, type ErrorShape, type Words } from '../common/index.js';

import { wordsForCustomer } from './server-access.js';

/** Expected errors of hosting accounts and nodes. */
export type HostingErrorCode =
  | 'INVALID_INPUT'
  | 'CREDENTIALS_TOO_SHORT'
  | 'ACCOUNT_EXISTS'
  | 'ACCOUNT_NOT_FOUND'
  | 'ACCOUNT_BUSY'
  | 'ACCOUNT_STATE'
  | 'ACCOUNT_PAUSED'
  | 'REQUEST_REUSED'
  | 'NODE_NOT_FOUND'
  | 'NODE_DISABLED'
  | 'NODE_FULL'
  | 'GROUP_NOT_FOUND'
  | 'GROUP_AWAY'
  | 'GROUP_FULL'
  | 'DRIVER_MISSING'
  | 'NODE_REFUSED'
  | 'PANEL_DISK'
  | 'PANEL_FULL'
  | 'SITE_MISSING'
  | 'CREATION_REFUSED'
  | 'NODE_UNREACHABLE'
  | 'NODE_UNCERTAIN'
  | 'NODE_SILENT'
  | 'NODE_LATE'
  | 'NODE_SHUT'
  | 'PORT_MISSING'
  | 'DATABASE_NONE'
  | 'SITE_KNOWN'
  | 'SITE_EXPIRED'
  | 'SITE_PAUSED'
  | 'SITE_MOVING'
  | 'DELETIONS_HELD'
  | 'CLOCK_JUMPED'
  | 'CLOCK_CONFIRMED'
  | 'BIN_GONE'
  | 'BIN_BUSY'
  | 'BIN_LOST';

const ERROR_MAP: Record<HostingErrorCode, ErrorShape> = {
  INVALID_INPUT: { err: 'E_ARGS', text: 'common.args' },
  CREDENTIALS_TOO_SHORT: { err: 'E_ARGS', text: 'hosting.credentials_too_short' },
  ACCOUNT_EXISTS: { err: 'E_EXISTS', text: 'hosting.account_exists' },
  ACCOUNT_NOT_FOUND: { err: 'E_NOTEXIST', text: 'hosting.account_not_found' },
  ACCOUNT_BUSY: { err: 'E_BUSY', text: 'hosting.account_busy' },
  ACCOUNT_STATE: { err: 'E_STATE', text: 'hosting.account_state' },
  ACCOUNT_PAUSED: { err: 'E_STATE', text: 'hosting.account_paused' },
  REQUEST_REUSED: { err: 'E_CONFLICT', text: 'hosting.request_reused' },
  NODE_NOT_FOUND: { err: 'E_NOTEXIST', text: 'hosting.node_not_found' },
  NODE_DISABLED: { err: 'E_DISABLED', text: 'hosting.node_disabled' },
  NODE_FULL: { err: 'E_LIMIT', text: 'hosting.node_full' },
  GROUP_NOT_FOUND: { err: 'E_NOTEXIST', text: 'hosting.group_not_found' },
  GROUP_AWAY: { err: 'E_NODE', text: 'hosting.group_away' },
  GROUP_FULL: { err: 'E_LIMIT', text: 'hosting.group_full' },
  DRIVER_MISSING: { err: 'E_NODE', text: 'hosting.driver_missing' },
  PANEL_DISK: { err: 'E_NODE', text: 'hosting.panel_disk' },
  PANEL_FULL: { err: 'E_NODE', text: 'hosting.panel_full' },
  NODE_REFUSED: { err: 'E_NODE', text: 'hosting.node_refused' },
  SITE_MISSING: { err: 'E_NODE', text: 'hosting.site_missing' },
  CREATION_REFUSED: { err: 'E_NODE', text: 'hosting.creation_refused' },
  // Of a read-only request.
  NODE_LATE: { err: 'E_UNREACH', text: 'hosting.node_late' },
  NODE_SHUT: { err: 'E_NODE', text: 'hosting.node_shut' },
  NODE_UNREACHABLE: { err: 'E_UNREACH', text: 'hosting.node_unreachable' },
  // A call of a port, whose outcome stays unknown.
  NODE_SILENT: { err: 'E_UNKNOWN', text: 'hosting.node_silent' },
  NODE_UNCERTAIN: { err: 'E_UNKNOWN', text: 'hosting.node_uncertain' },
  SITE_KNOWN: { err: 'E_INUSE', text: 'hosting.adopt_known' },
  PORT_MISSING: { err: 'E_DISABLED', text: 'hosting.port_missing' },
  DATABASE_NONE: { err: 'E_NOTEXIST', text: 'hosting.database_none' },
  SITE_EXPIRED: { err: 'E_STATE', text: 'hosting.own_site_expired' },
  SITE_PAUSED: { err: 'E_STATE', text: 'hosting.own_site_paused' },
  SITE_MOVING: { err: 'E_BUSY', text: 'hosting.site_moving' },
  DELETIONS_HELD: { err: 'E_STATE', text: 'hosting.deletions_held' },
  CLOCK_JUMPED: { err: 'E_STATE', text: 'hosting.clock_jumped' },
  CLOCK_CONFIRMED: { err: 'E_CONFLICT', text: 'hosting.clock_confirmed_before' },
  BIN_GONE: { err: 'E_NOTEXIST', text: 'hosting.bin_gone' },
  BIN_BUSY: { err: 'E_BUSY', text: 'hosting.bin_busy' },
  BIN_LOST: { err: 'E_NODE', text: 'hosting.bin_lost' },
};

/**
 * A rejection of this feature. `params` fill the text: `text` (the server's message) for rejections, `code` for nodes.
 *
 * @example
 * ```ts
 * throw new HostingError('NODE_NOT_FOUND', { code: 'bh1' });
 * ```
 */
export class HostingError extends AppError<HostingErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }

  override get forOwner(): AppError {
    const words = wordsForCustomer(this.told);
    return typeof words === 'string' || words.key === this.shape.text ? this : (hostingErrorOf(words) ?? this);
  }
}

/** Recreates the error from its stored text; null for a text of another feature. */
export function hostingErrorOf(words: Words): HostingError | null {
  if (typeof words === 'string') return null;
  const code = (Object.keys(ERROR_MAP) as HostingErrorCode[]).find((known) => ERROR_MAP[known].text === words.key);
  return code === undefined ? null : new HostingError(code, words.params);
}

/** Returns whether the server, not the request, is at fault, which only administrators should see. */
export const isServerFault = ({ shape }: HostingError): boolean => ['E_NODE', 'E_UNREACH', 'E_UNKNOWN'].includes(shape.err);
