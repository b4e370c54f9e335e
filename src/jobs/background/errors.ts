import { AppError, type ErrorShape } from '../../common/index.js';

/** Why the queue cannot answer. */
export type TaskQueueErrorCode = 'QUEUE_AWAY';

const ERROR_MAP: Record<TaskQueueErrorCode, ErrorShape> = {
  QUEUE_AWAY: { err: 'E_UNREACH', text: 'tasks.away' },
};

/** A query of the queue that is not possible at present. */
export class TaskQueueError extends AppError<TaskQueueErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
