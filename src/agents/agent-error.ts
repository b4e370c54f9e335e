import { AppError, type ErrorShape } from '../common/index.js';

/** Error codes of administrators' operations on agents and scans. */
export type AgentErrorCode =
  | 'SERVER_MISSING'
  | 'SERVER_UNKNOWN'
  | 'NODE_ID_FORM'
  | 'NODE_ID_TAKEN'
  | 'NODE_NOT_FOUND'
  | 'NODE_DISABLED'
  | 'NODE_CHANGED'
  | 'INSTALL_ADDRESS'
  | 'SCAN_ROOT_MISSING'
  | 'SCAN_ROOT_FORM'
  | 'KEYWORDS_MISSING'
  | 'ALLOW_EMPTY'
  | 'ALLOW_HOST_UNKNOWN'
  | 'ALLOW_FULL'
  | 'ALLOW_MISSING'
  | 'QUARANTINE_MISSING'
  | 'QUARANTINE_STATE'
  | 'QUARANTINE_UNABLE'
  | 'QUARANTINE_NOBODY'
  | 'MATCH_NO_HOST'
  | 'MATCH_MISSING'
  | 'TASK_MISSING'
  | 'TASK_NOT_AGAIN'
  | 'TASK_NOT_FAILED'
  | 'TASK_NOT_WAITING'
  | 'NODE_UNBOUND'
  | 'NODE_SILENT'
  | 'NODE_SCANS_ONLY'
  | 'NODE_TOO_OLD'
  | 'NODE_REFUSED'
  | 'LOG_MISSING';

const ERROR_MAP: Record<AgentErrorCode, ErrorShape> = {
  SERVER_MISSING: { err: 'E_ARGS', text: 'node.server_missing' },
  SERVER_UNKNOWN: { err: 'E_NOTEXIST', text: 'node.server_unknown' },
  NODE_ID_FORM: { err: 'E_ARGS', text: 'node.node_id_form' },
  NODE_ID_TAKEN: { err: 'E_EXISTS', text: 'node.node_id_taken' },
  NODE_NOT_FOUND: { err: 'E_NOTEXIST', text: 'node.not_found' },
  NODE_DISABLED: { err: 'E_DISABLED', text: 'node.disabled_no_task' },
  INSTALL_ADDRESS: { err: 'E_STATE', text: 'node.install_address' },
  NODE_CHANGED: { err: 'E_CONFLICT', text: 'node.changed' },
  SCAN_ROOT_MISSING: { err: 'E_ARGS', text: 'node.scan_root_missing' },
  SCAN_ROOT_FORM: { err: 'E_ARGS', text: 'node.scan_root_form' },
  KEYWORDS_MISSING: { err: 'E_ARGS', text: 'node.keywords_missing' },
  ALLOW_EMPTY: { err: 'E_ARGS', text: 'node.allow_empty' },
  ALLOW_HOST_UNKNOWN: { err: 'E_NOTEXIST', text: 'node.allow_host_unknown' },
  ALLOW_FULL: { err: 'E_LIMIT', text: 'node.allow_full' },
  ALLOW_MISSING: { err: 'E_NOTEXIST', text: 'node.allow_missing' },
  QUARANTINE_MISSING: { err: 'E_NOTEXIST', text: 'node.quarantine_missing' },
  QUARANTINE_STATE: { err: 'E_STATE', text: 'node.quarantine_state' },
  QUARANTINE_UNABLE: { err: 'E_DISABLED', text: 'node.quarantine_unable' },
  QUARANTINE_NOBODY: { err: 'E_STATE', text: 'node.quarantine_nobody' },
  MATCH_NO_HOST: { err: 'E_STATE', text: 'node.match_no_host' },
  MATCH_MISSING: { err: 'E_NOTEXIST', text: 'node.match_missing' },
  TASK_MISSING: { err: 'E_NOTEXIST', text: 'node.task_missing' },
  TASK_NOT_AGAIN: { err: 'E_STATE', text: 'node.task_not_again' },
  TASK_NOT_FAILED: { err: 'E_STATE', text: 'node.task_not_failed' },
  TASK_NOT_WAITING: { err: 'E_STATE', text: 'node.task_not_waiting' },
  NODE_UNBOUND: { err: 'E_STATE', text: 'node.unbound' },
  NODE_SILENT: { err: 'E_STATE', text: 'node.silent' },
  NODE_SCANS_ONLY: { err: 'E_DISABLED', text: 'node.scans_only' },
  NODE_TOO_OLD: { err: 'E_DISABLED', text: 'node.too_old' },
  NODE_REFUSED: { err: 'E_STATE', text: 'node.refused' },
  LOG_MISSING: { err: 'E_NOTEXIST', text: 'node.log_missing' },
};

/** Error of an administrators' operation on agents. */
export class AgentError extends AppError<AgentErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
