import { AppError, type ErrorShape } from '../common/index.js';

/** Error codes of requests about jobs, background tasks and monitors. */
export type MonitorErrorCode =
  | 'JOB_MISSING'
  | 'JOB_RUNNING'
  | 'HELD'
  | 'TASK_MISSING'
  | 'TASK_ENDED'
  | 'TASK_NOT_AGAIN'
  | 'MONITOR_MISSING'
  | 'MONITOR_LIMIT'
  | 'MONITORS_NOT_INCLUDED'
  | 'NAME_MISSING'
  | 'URL_MISSING'
  | 'URL_REFUSED'
  | 'RESOURCE_MISSING'
  | 'FIELD_WRONG'
  | 'NOT_A_PUSH'
  | 'WINDOW_MISSING'
  | 'WINDOW_LIMIT'
  | 'STATUS_FULL'
  | 'STATUS_MISSING'
  | 'INCIDENT_MISSING'
  | 'INCIDENT_LIMIT'
  | 'UPDATE_MISSING'
  | 'UPDATE_LIMIT'
  | 'UPDATE_LAST';

const ERROR_MAP: Record<MonitorErrorCode, ErrorShape> = {
  JOB_MISSING: { err: 'E_NOTEXIST', text: 'monitor.job_missing' },
  JOB_RUNNING: { err: 'E_CONFLICT', text: 'monitor.job_running' },
  TASK_MISSING: { err: 'E_NOTEXIST', text: 'tasks.missing' },
  TASK_ENDED: { err: 'E_CONFLICT', text: 'tasks.ended' },
  TASK_NOT_AGAIN: { err: 'E_CONFLICT', text: 'tasks.not_again' },
  MONITOR_MISSING: { err: 'E_NOTEXIST', text: 'monitor.missing' },
  MONITOR_LIMIT: { err: 'E_LIMIT', text: 'monitor.limit' },
  MONITORS_NOT_INCLUDED: { err: 'E_LIMIT', text: 'monitor.not_included' },
  NAME_MISSING: { err: 'E_ARGS', text: 'monitor.name_missing' },
  URL_MISSING: { err: 'E_ARGS', text: 'monitor.url_missing' },
  URL_REFUSED: { err: 'E_ARGS', text: 'monitor.url_refused' },
  RESOURCE_MISSING: { err: 'E_ARGS', text: 'monitor.resource_missing' },
  FIELD_WRONG: { err: 'E_ARGS', text: 'common.args' },
  NOT_A_PUSH: { err: 'E_STATE', text: 'monitor.not_a_push' },
  WINDOW_MISSING: { err: 'E_NOTEXIST', text: 'monitor.window_missing' },
  WINDOW_LIMIT: { err: 'E_LIMIT', text: 'monitor.window_limit' },
  STATUS_FULL: { err: 'E_LIMIT', text: 'monitor.status_full' },
  STATUS_MISSING: { err: 'E_NOTEXIST', text: 'monitor.status_missing' },
  INCIDENT_MISSING: { err: 'E_NOTEXIST', text: 'monitor.incident_missing' },
  INCIDENT_LIMIT: { err: 'E_LIMIT', text: 'monitor.incident_limit' },
  UPDATE_MISSING: { err: 'E_NOTEXIST', text: 'monitor.update_missing' },
  UPDATE_LIMIT: { err: 'E_LIMIT', text: 'monitor.update_limit' },
  UPDATE_LAST: { err: 'E_STATE', text: 'monitor.update_last' },
  HELD: { err: 'E_STATE', text: 'monitor.held' },
};

/** Error of such a request. */
export class MonitorError extends AppError<MonitorErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
