import type { TextRef } from '../../common/index.js';

import { textRefFor } from './bundled-words.js';
import { DeployError, type DeployErrorCode } from './deploy-errors.js';
import type { ProgramField } from './program-form.js';

/** A domain of a site that can be chosen. */
export interface ChosenDomain {
  readonly name: string;
  /** Folder it serves; empty for the web root. */
  readonly folder: string;
}

/**
 * Validates the answers to a program's form; the keys are variables in lower case.
 *
 * @param given fields by variable name; a JSON array for several choices
 * @throws DeployError ANSWER_MISSING, ANSWER_NUMBER, ANSWER_LONG, ANSWER_CHOICE, ANSWER_DOMAIN, ANSWER_CHARACTERS, attached to its field
 */
export function readAnswers(
  form: readonly ProgramField[],
  given: Readonly<Record<string, unknown>>,
  domains: readonly ChosenDomain[],
): Map<string, string> {
  return new Map(form.map((field) => [`sf_${field.blx.toLowerCase()}`, readAnswer(field, given[field.blx], domains)]));
}

function readAnswer(field: ProgramField, given: unknown, domains: readonly ChosenDomain[]): string {
  const wrong = (code: DeployErrorCode, key: string, params: Record<string, string | number> = {}): never => {
    const name = textRefFor(field.ltaler);
    const why: TextRef = { key: `deploy.answer_${key}`, params: { name, ...params } };
    throw new DeployError(code, { name, n: field.cdxz, why }, { [field.blx]: why });
  };
  const chosen = field.cz === 'dxks' ? choicesOf(given) : [typeof given === 'string' ? given.trim() : ''];
  const filled = chosen.filter((text) => text !== '');
  if (filled.length === 0) return field.bt === '是' ? wrong('ANSWER_MISSING', 'required') : '';
  const answer = filled.join(',');
  if (Array.from(answer).length > field.cdxz) wrong('ANSWER_LONG', 'length', { n: field.cdxz });
  if (/[\p{Cc}\p{Cs}]/u.test(answer)) wrong('ANSWER_CHARACTERS', 'characters');
  if (field.xknr.length > 0 && !filled.every((text) => field.xknr.includes(text))) wrong('ANSWER_CHOICE', 'choice');
  if (field.cz === 'input' && field.srlx === '数字' && !/^-?\d{1,15}(?:\.\d{1,10})?$/.test(answer)) wrong('ANSWER_NUMBER', 'number');
  if (field.cz === 'urlxz' && !domainsFor(field, domains).includes(answer)) wrong('ANSWER_DOMAIN', 'domain');
  return answer;
}

/** Returns the domains that can be chosen in a field. */
export function domainsFor({ urlxml }: ProgramField, domains: readonly ChosenDomain[]): string[] {
  return domains.filter(({ folder, name }) => !name.startsWith('*') && (!urlxml || folder === '')).map(({ name }) => name);
}

function choicesOf(given: unknown): string[] {
  if (typeof given !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(given);
    if (Array.isArray(parsed)) return parsed.filter((item) => typeof item === 'string').map((item) => item.trim());
  } catch {
    // A single choice is sent without an array.
  }
  return [given.trim()];
}
