import { AppError, type ErrorShape } from '../../common/index.js';

/** What can keep the queue from answering. */
export type TaskQueueErrorCode = 'QUEUE_AWAY';

const ERROR_MAP: Record<TaskQueueErrorCode, ErrorShape> = {
  QUEUE_AWAY: { err: 'E_UNREACH', text: 'tasks.away' },
};

/** A look at the queue that is not possible now. */
export class TaskQueueError extends AppError<TaskQueueErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
