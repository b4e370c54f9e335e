import { AppError, type ErrorShape } from '../../common/index.js';

/** Error codes of sending through and saving channels. */
export type ChannelErrorCode =
  | 'MISSING'
  | 'TYPE_UNKNOWN'
  | 'TOO_MANY'
  | 'FIELDS'
  | 'KINDS'
  | 'INTERNAL_ADDRESS'
  | 'REFUSED'
  | 'UNREACHABLE'
  | 'PLUGIN_OFF'
  | 'PLUGIN_SILENT'
  | 'FIELDS_LACK';

const ERROR_MAP: Record<ChannelErrorCode, ErrorShape> = {
  MISSING: { err: 'E_NOTEXIST', text: 'notify.channel_missing' },
  TYPE_UNKNOWN: { err: 'E_ARGS', text: 'notify.channel_type_unknown' },
  TOO_MANY: { err: 'E_LIMIT', text: 'notify.channel_too_many' },
  FIELDS: { err: 'E_ARGS', text: 'notify.channel_fields' },
  KINDS: { err: 'E_ARGS', text: 'notify.channel_kinds' },
  INTERNAL_ADDRESS: { err: 'E_UNREACH', text: 'notify.channel_internal' },
  REFUSED: { err: 'E_UNREACH', text: 'notify.channel_refused' },
  UNREACHABLE: { err: 'E_UNREACH', text: 'notify.channel_unreachable' },
  PLUGIN_OFF: { err: 'E_STATE', text: 'notify.channel_plugin_off' },
  PLUGIN_SILENT: { err: 'E_BUSY', text: 'notify.channel_plugin_silent' },
  FIELDS_LACK: { err: 'E_STATE', text: 'notify.channel_fields_lack' },
};

/** Error of a channel. */
export class ChannelError extends AppError<ChannelErrorCode> {
  /** Creates the error for a rejected message. @param reply response of the service, of any length */
  static refused(name: string, reply: string): ChannelError {
    return new ChannelError('REFUSED', { name, reply: reply.slice(0, 3_000).replace(/\s+/g, ' ').slice(0, 300) });
  }

  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
