import { AppError, type ErrorShape } from '../../common/index.js';

/** Errors of durable listeners and dead letters. */
export type EventErrorCode =
  | 'HOOK_NOT_DURABLE'
  | 'LISTENER_NOT_FUNCTION'
  | 'PRIORITY_INVALID'
  | 'LISTENER_ID_INVALID'
  | 'LISTENER_ID_TAKEN'
  | 'DEAD_LETTER_NOT_FOUND'
  | 'DEAD_LETTERS_NONE'
  | 'DEAD_LETTER_UNHEARD';

const ERROR_MAP: Record<EventErrorCode, ErrorShape> = {
  HOOK_NOT_DURABLE: { err: 'E_ARGS', text: 'events.hook_not_durable' },
  LISTENER_NOT_FUNCTION: { err: 'E_ARGS', text: 'events.listener_not_function' },
  PRIORITY_INVALID: { err: 'E_ARGS', text: 'events.priority_invalid' },
  LISTENER_ID_INVALID: { err: 'E_ARGS', text: 'events.listener_id_invalid' },
  LISTENER_ID_TAKEN: { err: 'E_EXISTS', text: 'events.listener_id_taken' },
  DEAD_LETTER_NOT_FOUND: { err: 'E_NOTEXIST', text: 'events.dead_letter_not_found' },
  DEAD_LETTERS_NONE: { err: 'E_NOTEXIST', text: 'events.dead_letters_none' },
  DEAD_LETTER_UNHEARD: { err: 'E_STATE', text: 'events.dead_letter_unheard' },
};

/** A request about durable events that cannot be fulfilled. */
export class EventError extends AppError<EventErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
