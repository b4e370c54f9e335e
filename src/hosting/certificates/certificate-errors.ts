import { AppError, type ErrorShape } from '../../common/index.js';

/** Codes of errors about certificates. */
export type CertificateErrorCode =
  | 'OFF'
  | 'NO_NAMES'
  | 'MANY_NAMES'
  | 'NOT_BOUND'
  | 'WILDCARD'
  | 'LOCAL'
  | 'IS_ON'
  | 'NOT_RUNNING'
  | 'BUSY'
  | 'LIMIT'
  | 'NONE'
  | 'NO_ORDER'
  | 'OWN'
  | 'REVOKED'
  | 'NOT_REVOKED'
  | 'NOT_ORDERED'
  | 'EMPTY'
  | 'KEY_MISSING'
  | 'KEY_ENCRYPTED'
  | 'KEY_BAD'
  | 'KEY_KIND'
  | 'KEY_WEAK'
  | 'PEM_MISSING'
  | 'PEM_BAD'
  | 'PEM_MANY'
  | 'MISMATCH'
  | 'EXPIRED'
  | 'NOT_YET'
  | 'NAMES'
  | 'DIRECTORY'
  | 'INTERNAL'
  | 'SILENT'
  | 'MAIL'
  | 'AGREE'
  | 'BINDING_NEEDED'
  | 'BINDING_KEY';

const args = (text: string): ErrorShape => ({ err: 'E_ARGS', text: `certificates.${text}` });

const ERROR_MAP: Record<CertificateErrorCode, ErrorShape> = {
  OFF: { err: 'E_DISABLED', text: 'certificates.off' },
  NO_NAMES: args('no_names'),
  MANY_NAMES: args('many_names'),
  NOT_BOUND: { err: 'E_NOTEXIST', text: 'certificates.not_bound' },
  WILDCARD: args('wildcard'),
  LOCAL: args('local'),
  IS_ON: { err: 'E_STATE', text: 'certificates.is_on' },
  NOT_RUNNING: { err: 'E_STATE', text: 'certificates.not_running' },
  BUSY: { err: 'E_BUSY', text: 'certificates.busy' },
  LIMIT: { err: 'E_LIMIT', text: 'certificates.limit' },
  NONE: { err: 'E_STATE', text: 'certificates.none' },
  NO_ORDER: { err: 'E_STATE', text: 'certificates.no_order' },
  OWN: { err: 'E_STATE', text: 'certificates.own_revocation' },
  REVOKED: { err: 'E_STATE', text: 'certificates.already_revoked' },
  NOT_REVOKED: { err: 'E_UNREACH', text: 'certificates.not_revoked' },
  NOT_ORDERED: { err: 'E_STATE', text: 'certificates.not_ordered' },
  EMPTY: args('empty'),
  KEY_MISSING: args('key_missing'),
  KEY_ENCRYPTED: args('key_encrypted'),
  KEY_BAD: args('key_bad'),
  KEY_KIND: args('key_kind'),
  KEY_WEAK: args('key_weak'),
  PEM_MISSING: args('pem_missing'),
  PEM_BAD: args('pem_bad'),
  PEM_MANY: args('pem_many'),
  MISMATCH: args('mismatch'),
  EXPIRED: args('expired'),
  NOT_YET: args('not_yet'),
  NAMES: args('names_other'),
  DIRECTORY: args('directory'),
  INTERNAL: { err: 'E_FORBIDDEN', text: 'certificates.directory_internal' },
  SILENT: { err: 'E_UNREACH', text: 'certificates.directory_silent' },
  MAIL: args('mail'),
  AGREE: args('agree'),
  BINDING_NEEDED: args('binding_needed'),
  BINDING_KEY: args('binding_key'),
};

/** Form fields the errors belong to. */
const FIELDS: Readonly<Partial<Record<CertificateErrorCode, string>>> = {
  KEY_MISSING: 'key',
  KEY_ENCRYPTED: 'key',
  KEY_BAD: 'key',
  KEY_KIND: 'key',
  KEY_WEAK: 'key',
  MISMATCH: 'key',
  PEM_MISSING: 'pem',
  PEM_BAD: 'pem',
  PEM_MANY: 'pem',
  EXPIRED: 'pem',
  NOT_YET: 'pem',
  NAMES: 'pem',
  DIRECTORY: 'ml',
  INTERNAL: 'ml',
  SILENT: 'ml',
  MAIL: 'yx',
  AGREE: 'ty',
  BINDING_NEEDED: 'zhid',
  BINDING_KEY: 'zhmy',
};

/** An error about a certificate. */
export class CertificateError extends AppError<CertificateErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** @throws CertificateError, attached to its form field if it has one */
export function refuse(code: CertificateErrorCode, params: Record<string, string | number> = {}): never {
  const field = FIELDS[code];
  throw new CertificateError(code, params, field === undefined ? {} : { [field]: { key: ERROR_MAP[code].text, params } });
}
