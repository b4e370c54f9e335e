import { AppError, type ErrorShape } from '../../common/index.js';

/** Why a channel did not take a message, or cannot be saved. */
export type ChannelErrorCode =
  'MISSING' | 'TYPE_UNKNOWN' | 'TOO_MANY' | 'FIELDS' | 'KINDS' | 'INTERNAL_ADDRESS' | 'REFUSED' | 'UNREACHABLE';

const ERROR_MAP: Record<ChannelErrorCode, ErrorShape> = {
  MISSING: { err: 'E_NOTEXIST', text: 'notify.channel_missing' },
  TYPE_UNKNOWN: { err: 'E_ARGS', text: 'notify.channel_type_unknown' },
  TOO_MANY: { err: 'E_LIMIT', text: 'notify.channel_too_many' },
  FIELDS: { err: 'E_ARGS', text: 'notify.channel_fields' },
  KINDS: { err: 'E_ARGS', text: 'notify.channel_kinds' },
  INTERNAL_ADDRESS: { err: 'E_UNREACH', text: 'notify.channel_internal' },
  REFUSED: { err: 'E_UNREACH', text: 'notify.channel_refused' },
  UNREACHABLE: { err: 'E_UNREACH', text: 'notify.channel_unreachable' },
};

/** What is wrong with a channel. */
export class ChannelError extends AppError<ChannelErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
