import { AppError, type ErrorShape } from '../../common/index.js';

import { driverError } from '../accounts/index.js';
import type { PortProblem } from '../driver/index.js';

import type { DomainProblem } from './domain-name.js';

/** Reasons why binding a domain is refused. */
export type DomainErrorCode =
  | Uppercase<DomainProblem>
  | 'PANEL'
  | 'SITES'
  | 'BOUND'
  | 'TAKEN'
  | 'ELSEWHERE'
  | 'SOLD'
  | 'PROOF'
  | 'PROOF_LATE'
  | 'LIMIT'
  | 'FOLDER'
  | 'NOT_BOUND'
  | 'MAIN_WILDCARD';

const ERROR_MAP: Record<DomainErrorCode, ErrorShape> = {
  FORM: { err: 'E_ARGS', text: 'hosting.domain_form' },
  PORT: { err: 'E_ARGS', text: 'hosting.domain_port' },
  PATH: { err: 'E_ARGS', text: 'hosting.domain_path' },
  WILDCARD: { err: 'E_ARGS', text: 'hosting.domain_wildcard' },
  ADDRESS: { err: 'E_ARGS', text: 'hosting.domain_address' },
  LOCAL: { err: 'E_ARGS', text: 'hosting.domain_local' },
  SUFFIX: { err: 'E_ARGS', text: 'hosting.domain_suffix' },
  PANEL: { err: 'E_FORBIDDEN', text: 'hosting.domain_panel' },
  SITES: { err: 'E_FORBIDDEN', text: 'hosting.domain_sites' },
  BOUND: { err: 'E_EXISTS', text: 'hosting.domain_bound_already' },
  TAKEN: { err: 'E_EXISTS', text: 'hosting.domain_taken' },
  ELSEWHERE: { err: 'E_EXISTS', text: 'hosting.domain_elsewhere' },
  SOLD: { err: 'E_FORBIDDEN', text: 'hosting.domain_sold' },
  PROOF: { err: 'E_FORBIDDEN', text: 'hosting.domain_proof' },
  PROOF_LATE: { err: 'E_UNREACH', text: 'hosting.domain_proof_late' },
  LIMIT: { err: 'E_LIMIT', text: 'hosting.domain_limit' },
  FOLDER: { err: 'E_ARGS', text: 'hosting.domain_folder' },
  NOT_BOUND: { err: 'E_NOTEXIST', text: 'hosting.domain_not_bound' },
  MAIN_WILDCARD: { err: 'E_ARGS', text: 'hosting.domain_main_wildcard' },
};

/** A refusal about a domain, which `params.domain` names. */
export class DomainError extends AppError<DomainErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }

  /** For a missing proof: the record to set, for pages and programs. */
  override get extras(): Readonly<Record<string, unknown>> {
    return this.code === 'PROOF' || this.code === 'PROOF_LATE' ? { record: this.params.record, value: this.params.value } : {};
  }
}

/** Whether binding failed because another site of the server has the name. */
export const isElsewhere = (error: unknown): error is DomainError => error instanceof DomainError && error.code === 'ELSEWHERE';

/** @throws DomainError */
export function refuse(code: DomainErrorCode, params: Record<string, string | number> = {}): never {
  throw domainError(code, params);
}

/** Turns a server's problem with a site's domains into an error. */
export function serverDomainError(problem: PortProblem): Error {
  const { code, params } = problem;
  if (code === 'SERVER_DOMAIN') return domainError('ELSEWHERE', { domain: params?.name ?? '' });
  return driverError({ outcome: 'refused', message: code, problem });
}

function domainError(code: DomainErrorCode, params: Record<string, string | number>): DomainError {
  // Attaches the error to the form field concerned.
  return new DomainError(code, params, { [code === 'FOLDER' ? 'ml' : 'url']: { key: ERROR_MAP[code].text, params } });
}
