import { AppError, type ErrorShape } from '../../common/index.js';

/** Codes of errors about names for sale. */
export type NameErrorCode =
  | 'ZONE_FORM'
  | 'ZONE_PANEL'
  | 'ZONE_EXISTS'
  | 'ZONES_FULL'
  | 'ZONE_MISSING'
  | 'ZONE_USED'
  | 'ZONE_SERVER'
  | 'ZONE_PROVIDER'
  | 'ZONE_RESERVED'
  | 'NO_SELLER'
  | 'PREFIX'
  | 'RESERVED'
  | 'TAKEN'
  | 'RESTING'
  | 'LIMIT'
  | 'PRICED'
  | 'OTHER_SERVER'
  | 'NAME_MISSING'
  | 'NO_END'
  | 'NO_HOST'
  | 'HOST_FULL'
  | 'TOO_FAR';

const ERROR_MAP: Record<NameErrorCode, ErrorShape & { readonly field?: string }> = {
  ZONE_FORM: { err: 'E_ARGS', text: 'names.zone_form', field: 'url' },
  ZONE_PANEL: { err: 'E_ARGS', text: 'names.zone_panel', field: 'url' },
  ZONE_EXISTS: { err: 'E_EXISTS', text: 'names.zone_exists', field: 'url' },
  ZONES_FULL: { err: 'E_LIMIT', text: 'names.zones_full', field: 'url' },
  ZONE_MISSING: { err: 'E_NOTEXIST', text: 'names.zone_missing' },
  ZONE_USED: { err: 'E_INUSE', text: 'names.zone_used' },
  ZONE_SERVER: { err: 'E_ARGS', text: 'names.zone_server', field: 'bt' },
  ZONE_PROVIDER: { err: 'E_ARGS', text: 'names.zone_provider', field: 'provider_id' },
  ZONE_RESERVED: { err: 'E_ARGS', text: 'names.zone_reserved', field: 'blqz' },
  NO_SELLER: { err: 'E_DISABLED', text: 'names.no_seller' },
  PREFIX: { err: 'E_ARGS', text: 'names.prefix', field: 'qz' },
  RESERVED: { err: 'E_FORBIDDEN', text: 'names.reserved', field: 'qz' },
  TAKEN: { err: 'E_EXISTS', text: 'names.taken', field: 'qz' },
  RESTING: { err: 'E_EXISTS', text: 'names.resting', field: 'qz' },
  LIMIT: { err: 'E_LIMIT', text: 'names.limit', field: 'qz' },
  PRICED: { err: 'E_FORBIDDEN', text: 'names.priced', field: 'id' },
  OTHER_SERVER: { err: 'E_FORBIDDEN', text: 'names.other_server', field: 'id' },
  NAME_MISSING: { err: 'E_NOTEXIST', text: 'names.name_missing' },
  NO_END: { err: 'E_STATE', text: 'names.no_end' },
  NO_HOST: { err: 'E_STATE', text: 'names.no_host', field: 'host' },
  HOST_FULL: { err: 'E_LIMIT', text: 'names.host_full', field: 'host' },
  TOO_FAR: { err: 'E_LIMIT', text: 'names.too_far' },
};

/** A rejection concerning names for sale. */
export class NameError extends AppError<NameErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** Throws an error, attached to the form field it concerns, if any. @throws NameError */
export function refuse(code: NameErrorCode, params: Record<string, string | number> = {}): never {
  const { field, text } = ERROR_MAP[code];
  throw new NameError(code, params, field === undefined ? {} : { [field]: { key: text, params } });
}
