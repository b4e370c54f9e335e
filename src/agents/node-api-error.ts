import { AppError, type ErrorShape } from '../common/index.js';

/** Error codes of the node API. */
export type NodeApiErrorCode =
  | 'UNKNOWN_ACT'
  | 'NODE_ID_MISSING'
  | 'NODE_UNKNOWN'
  | 'SIGNATURE'
  | 'CLOCK'
  | 'NONCE_MISSING'
  | 'REPLAYED'
  | 'BODY'
  | 'TASK_ID_MISSING'
  | 'TASK_UNKNOWN'
  | 'REPORT_STATUS'
  | 'TASK_NOT_PULLED'
  | 'LEASE_LOST'
  | 'BODY_UNWANTED'
  | 'BODY_BROKEN'
  | 'BODY_LOST'
  | 'TOKEN';

const ERROR_MAP: Record<NodeApiErrorCode, ErrorShape> = {
  UNKNOWN_ACT: { err: 'E_NOTEXIST', text: 'node.api_unknown_act' },
  NODE_ID_MISSING: { err: 'E_ARGS', text: 'node.api_node_id_missing' },
  NODE_UNKNOWN: { err: 'E_NOTEXIST', text: 'node.api_node_unknown' },
  SIGNATURE: { err: 'E_FORBIDDEN', text: 'node.api_signature' },
  // Deployed agents match this text; the response's `timestamp` shows the clock difference.
  CLOCK: { err: 'E_FORBIDDEN', text: 'node.api_signature' },
  NONCE_MISSING: { err: 'E_ARGS', text: 'node.api_nonce_missing' },
  REPLAYED: { err: 'E_CONFLICT', text: 'node.api_replayed' },
  BODY: { err: 'E_ARGS', text: 'node.api_body' },
  TASK_ID_MISSING: { err: 'E_ARGS', text: 'node.api_task_id_missing' },
  TASK_UNKNOWN: { err: 'E_NOTEXIST', text: 'node.api_task_unknown' },
  REPORT_STATUS: { err: 'E_ARGS', text: 'node.api_report_status' },
  TASK_NOT_PULLED: { err: 'E_STATE', text: 'node.api_task_not_pulled' },
  LEASE_LOST: { err: 'E_STATE', text: 'node.api_lease_lost' },
  BODY_UNWANTED: { err: 'E_STATE', text: 'node.api_body_unwanted' },
  BODY_BROKEN: { err: 'E_ARGS', text: 'node.api_body_broken' },
  BODY_LOST: { err: 'E_STATE', text: 'node.api_body_lost' },
  TOKEN: { err: 'E_FORBIDDEN', text: 'node.api_token' },
};

/** Error of the node API. */
export class NodeApiError extends AppError<NodeApiErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
