import { AppError, type ErrorShape } from '../common/index.js';

/** Error codes of operations on DNS providers and records. */
export type DnsErrorCode =
  | 'KIND'
  | 'FIELDS'
  | 'TOO_MANY'
  | 'MISSING'
  | 'USED'
  | 'USED_BY_SITES'
  | 'SITES_LOCAL'
  | 'ENTRY_MISSING'
  | 'ENTRY_OF_NAME'
  | 'RECORD_MISSING'
  | 'NOT_YOURS'
  | 'WILDCARD'
  | 'NO_PROVIDER'
  | 'NAME_FORM'
  | 'SERVICE_NAME'
  | 'VALUE_FORM'
  | 'AT_NAME'
  | 'BESIDE_CNAME'
  | 'ALONE'
  | 'TWICE'
  | 'MANY';

const ERROR_MAP: Record<DnsErrorCode, ErrorShape> = {
  KIND: { err: 'E_ARGS', text: 'dns.kind_unknown' },
  FIELDS: { err: 'E_ARGS', text: 'dns.fields_wrong' },
  TOO_MANY: { err: 'E_LIMIT', text: 'dns.too_many' },
  MISSING: { err: 'E_NOTEXIST', text: 'dns.provider_missing' },
  USED: { err: 'E_INUSE', text: 'dns.provider_used' },
  USED_BY_SITES: { err: 'E_INUSE', text: 'dns.provider_used_by_sites' },
  SITES_LOCAL: { err: 'E_STATE', text: 'dns.sites_local' },
  ENTRY_MISSING: { err: 'E_NOTEXIST', text: 'dns.entry_missing' },
  ENTRY_OF_NAME: { err: 'E_STATE', text: 'dns.entry_of_name' },
  RECORD_MISSING: { err: 'E_NOTEXIST', text: 'dns.record_missing' },
  NOT_YOURS: { err: 'E_FORBIDDEN', text: 'dns.not_yours' },
  WILDCARD: { err: 'E_STATE', text: 'dns.wildcard' },
  NO_PROVIDER: { err: 'E_STATE', text: 'dns.no_provider' },
  NAME_FORM: { err: 'E_ARGS', text: 'dns.name_form' },
  SERVICE_NAME: { err: 'E_ARGS', text: 'dns.service_name' },
  VALUE_FORM: { err: 'E_ARGS', text: 'dns.value_form' },
  AT_NAME: { err: 'E_ARGS', text: 'dns.at_name' },
  BESIDE_CNAME: { err: 'E_CONFLICT', text: 'dns.beside_cname' },
  ALONE: { err: 'E_CONFLICT', text: 'dns.alone' },
  TWICE: { err: 'E_EXISTS', text: 'dns.twice' },
  MANY: { err: 'E_LIMIT', text: 'dns.many' },
};

/** Error of such an operation. */
export class DnsError extends AppError<DnsErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
