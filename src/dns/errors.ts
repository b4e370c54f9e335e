import './texts.js';

import { AppError, type ErrorShape } from '../common/index.js';

/** What can be wrong with accounts at DNS providers as administrators enter them. */
export type DnsErrorCode = 'KIND' | 'FIELDS' | 'TOO_MANY' | 'MISSING' | 'USED' | 'ENTRY_MISSING';

const ERROR_MAP: Record<DnsErrorCode, ErrorShape> = {
  KIND: { err: 'E_ARGS', text: 'dns.kind_unknown' },
  FIELDS: { err: 'E_ARGS', text: 'dns.fields_wrong' },
  TOO_MANY: { err: 'E_LIMIT', text: 'dns.too_many' },
  MISSING: { err: 'E_NOTEXIST', text: 'dns.provider_missing' },
  USED: { err: 'E_INUSE', text: 'dns.provider_used' },
  ENTRY_MISSING: { err: 'E_NOTEXIST', text: 'dns.entry_missing' },
};

/** A refusal about accounts at DNS providers. */
export class DnsError extends AppError<DnsErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
