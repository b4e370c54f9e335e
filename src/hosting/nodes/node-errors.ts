import { AppError, type ErrorShape } from '../../common/index.js';

/** Codes of errors about nodes. */
export type NodeErrorCode =
  | 'NODE_EXISTS'
  | 'NODE_MISSING'
  | 'NODE_NOT_NAMED'
  | 'NODE_IN_USE'
  | 'NODE_KEEPS'
  | 'NODE_MOVES'
  | 'NO_ANSWER'
  | 'UNREACHABLE'
  | 'NODE_CHANGED'
  | 'DRIVER_UNKNOWN'
  | 'DRIVER_NOT_NAMED'
  | 'DRIVER_SINGLE'
  | 'DRIVER_FIELDS'
  | 'NO_OVERLAP'
  | 'GROUP_MISSING'
  | 'GROUP_EXISTS'
  | 'GROUPS_MANY'
  | 'GROUP_SERVER'
  | 'GROUP_CODE'
  | 'PHP_NONE'
  | 'PHP_NOT_INSTALLED';

const ERROR_MAP: Record<NodeErrorCode, ErrorShape> = {
  NODE_EXISTS: { err: 'E_EXISTS', text: 'hosting.node_exists' },
  NODE_MISSING: { err: 'E_NOTEXIST', text: 'hosting.node_missing' },
  NODE_NOT_NAMED: { err: 'E_ARGS', text: 'hosting.node_not_named' },
  NO_ANSWER: { err: 'E_UNREACH', text: 'hosting.node_no_answer' },
  UNREACHABLE: { err: 'E_UNREACH', text: 'hosting.node_unreachable_because' },
  NODE_IN_USE: { err: 'E_INUSE', text: 'hosting.node_in_use' },
  NODE_KEEPS: { err: 'E_INUSE', text: 'hosting.node_keeps' },
  NODE_MOVES: { err: 'E_INUSE', text: 'hosting.node_moves' },
  NODE_CHANGED: { err: 'E_CONFLICT', text: 'hosting.node_changed' },
  DRIVER_NOT_NAMED: { err: 'E_ARGS', text: 'hosting.driver_not_named' },
  DRIVER_SINGLE: { err: 'E_EXISTS', text: 'hosting.driver_single' },
  DRIVER_FIELDS: { err: 'E_ARGS', text: 'common.args' },
  DRIVER_UNKNOWN: { err: 'E_ARGS', text: 'hosting.driver_unknown' },
  NO_OVERLAP: { err: 'E_STATE', text: 'hosting.no_overlap' },
  GROUP_MISSING: { err: 'E_NOTEXIST', text: 'hosting.group_missing' },
  GROUP_EXISTS: { err: 'E_EXISTS', text: 'hosting.group_exists' },
  GROUPS_MANY: { err: 'E_LIMIT', text: 'hosting.groups_many' },
  GROUP_CODE: { err: 'E_ARGS', text: 'common.args' },
  GROUP_SERVER: { err: 'E_ARGS', text: 'common.args' },
  PHP_NONE: { err: 'E_NODE', text: 'hosting.php_none' },
  PHP_NOT_INSTALLED: { err: 'E_ARGS', text: 'hosting.php_not_installed' },
};

/**
 * A rejected change of a node. `params` fill the text: `code` the node, `n` its hosts, `drivers` the available types, `reason` why its
 * server is unreachable.
 */
export class NodeError extends AppError<NodeErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
