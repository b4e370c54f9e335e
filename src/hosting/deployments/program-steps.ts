import type { TextRef } from '../../common/index.js';
import { DEFAULT_WEB_SETTINGS, type SitePortName } from '../driver/index.js';

import { DeployError } from './deploy-errors.js';
import { databaseIn, type DatabaseUse, unknownPlaceholder } from './placeholders.js';
import { itemsOf, type ProgramField, textOf } from './program-form.js';

/** Maximum number of steps of a program. */
export const MAX_STEPS = 100;

/** Parameters of each kind of step; `?` marks optional ones. Source: spec ajax.md 14. */
const PARAMETERS = {
  xjwj: ['ml', 'name'],
  xjwjj: ['ml', 'name'],
  delwj: ['ml', 'name'],
  delwjj: ['ml', 'name'],
  setwj: ['ml', 'name', 'nr?'],
  drsql: ['ml', 'name'],
  cxname: ['lj', 'jne', 'xne'],
  gettj: ['url', 'get?'],
  setyxml: ['lj?'],
  setwjt: ['nr?'],
  setphp: ['php'],
} as const;

/** Kind of an installation step. */
export type StepKind = keyof typeof PARAMETERS;

/** All kinds, in the order pages show them. */
export const STEP_KINDS = Object.keys(PARAMETERS) as StepKind[];

/** Parameters of a kind of step, with `?` after optional ones. */
export const parametersOf = (kind: StepKind): readonly string[] => PARAMETERS[kind];

/** A step: its kind `cz` and its parameters, all texts. Names are those of the wire. */
export type ProgramStep = { readonly cz: StepKind } & Readonly<Record<string, string>>;

/** Parameters that are folders and names, which must not lead out of the site. */
const FOLDERS = new Set(['ml', 'lj']);
const NAMES = new Set(['name', 'jne', 'xne']);
/** Parameters in which placeholders are filled. */
const FILLED: Partial<Record<StepKind, readonly string[]>> = { setwj: ['nr'], gettj: ['url', 'get'], setwjt: ['nr'] };

type Wrong = (key: string, params?: Record<string, string | number>) => never;

/**
 * Parses the steps of a program: an array, or an object whose keys give their order.
 *
 * @param form whose variables the steps may use
 * @throws DeployError STEPS_UNREADABLE, STEP with the number of the step and its problem
 */
export function readSteps(given: unknown, form: readonly ProgramField[]): ProgramStep[] {
  const items = itemsOf(given);
  if (!items || items.length > MAX_STEPS) throw new DeployError('STEPS_UNREADABLE', { n: MAX_STEPS }, { czf: 'deploy.steps_unreadable' });
  const variables = form.map(({ blx }) => blx);
  return items.map((item, index) => {
    const wrong: Wrong = (key, params = {}) => {
      const why: TextRef = { key: `deploy.step_${key}`, params };
      const n = index + 1;
      // Pages show errors at a row by its number.
      throw new DeployError('STEP', { n, why }, { [`czf.${n}`]: why, czf: { key: 'deploy.step', params: { n, why } } });
    };
    return readStep(item, variables, wrong);
  });
}

/** @throws DeployError STEP for a placeholder in the final message that cannot be filled */
export function checkMessage(text: string, form: readonly ProgramField[]): void {
  const unknown = unknownPlaceholder(
    text,
    form.map(({ blx }) => blx),
  );
  if (unknown === undefined) return;
  const why: TextRef = { key: 'deploy.step_place', params: { name: unknown } };
  throw new DeployError('STEP', { n: 0, why }, { alerts: why });
}

function readStep(item: unknown, variables: readonly string[], wrong: Wrong): ProgramStep {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return wrong('none');
  const values = item as Record<string, unknown>;
  const given = textOf(values.cz) ?? '';
  const kind = STEP_KINDS.find((known) => known === given) ?? wrong('kind', { name: given.slice(0, 40) });
  const parameters: readonly string[] = PARAMETERS[kind];
  const names = parameters.map((name) => name.replace('?', ''));
  const unknown = Object.keys(values).find((key) => key !== 'cz' && !names.includes(key));
  if (unknown !== undefined) wrong('unknown', { step: kind, name: unknown.slice(0, 40) });
  const read = parameters.map((parameter): [string, string] => {
    const name = parameter.replace('?', '');
    const value = textOf(values[name]) ?? wrong('text', { name });
    if (value.trim() === '' && !parameter.endsWith('?') && name !== 'ml' && name !== 'lj') wrong('missing', { step: kind, name });
    return [name, checked(name, value, wrong)];
  });
  const step = { cz: kind, ...Object.fromEntries(read) } as ProgramStep;
  for (const name of FILLED[kind] ?? []) {
    const place = unknownPlaceholder(step[name]!, variables);
    if (place !== undefined) wrong('place', { name: place });
  }
  return step;
}

function checked(name: string, value: string, wrong: Wrong): string {
  if (FOLDERS.has(name)) return `/${parts(value, name, wrong).join('/')}`;
  if (NAMES.has(name)) {
    const [only, ...more] = parts(value, name, wrong);
    return only === undefined || more.length > 0 ? wrong('name', { name }) : only;
  }
  if (name === 'php') return /^\d{2,3}$/.test(value.trim().replace('.', '')) ? value.trim().replace('.', '') : wrong('php');
  if (name === 'url' && /[\s\p{Cc}\\@?#]/u.test(value)) wrong('url');
  return value;
}

function parts(value: string, name: string, wrong: Wrong): string[] {
  const found = value.split('/').filter((part) => part !== '');
  const isBad = found.some((part) => part === '.' || part === '..' || part.length > 200) || /[\p{Cc}\\]/u.test(value);
  return isBad ? wrong('path', { name }) : found;
}

/** Ports a server needs to install a program. Files and backups are always required. */
export function portsFor(steps: readonly ProgramStep[], message: string, hasPhp: boolean): SitePortName[] {
  const kinds = new Set(steps.map(({ cz }) => cz));
  const ports: SitePortName[] = ['files', 'backups'];
  if (kinds.has('setyxml')) ports.push('settings');
  if (kinds.has('setwjt')) ports.push('rewrites');
  if (kinds.has('setphp') || hasPhp) ports.push('php');
  if (databaseUse(steps, message).isNeeded) ports.push('database');
  return ports;
}

/** Returns how the steps and the final message of a program use the site's database. */
export function databaseUse(steps: readonly ProgramStep[], message: string): DatabaseUse {
  const filled = steps.flatMap((step) => (FILLED[step.cz] ?? []).map((name) => step[name]!));
  const [inSteps, inAll] = [databaseIn(filled), databaseIn([...filled, message])];
  const runsSql = steps.some(({ cz }) => cz === 'drsql');
  // The final message never contains the password, because it is stored and listed.
  return { isNamed: runsSql || inAll.isNamed, isNeeded: runsSql || inAll.isNeeded, hasPassword: inSteps.hasPassword };
}

/** Web settings of a site that was just emptied. */
export const CLEAN_SETTINGS = { runFolder: DEFAULT_WEB_SETTINGS.runFolder, rewrites: DEFAULT_WEB_SETTINGS.rewrites };
