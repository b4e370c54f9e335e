import type { TextRef } from '../../common/index.js';
import { DEFAULT_WEB_SETTINGS, type SitePortName } from '../driver/index.js';

import { DeployError } from './deploy-errors.js';
import { databaseIn, type DatabaseUse, unknownPlace } from './placeholders.js';
import { itemsOf, type ProgramField, textOf } from './program-form.js';

/** Most steps of a program. */
export const MOST_STEPS = 100;

/** What a step has beside its kind; `?` may be left out. Source: spec ajax.md 14. */
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

/** What a step of an installation does. */
export type StepKind = keyof typeof PARAMETERS;

/** Every one of them, in the order pages show them. */
export const STEP_KINDS = Object.keys(PARAMETERS) as StepKind[];

/** The parameters of a kind of step, as people read them: `?` behind one that may be left out. */
export const parametersOf = (kind: StepKind): readonly string[] => PARAMETERS[kind];

/** A step: its kind `cz`, and its parameters, all of which are texts. Names are those of the wire. */
export type ProgramStep = { readonly cz: StepKind } & Readonly<Record<string, string>>;

/** Folders and names, which lead nowhere else. */
const FOLDERS = new Set(['ml', 'lj']);
const NAMES = new Set(['name', 'jne', 'xne']);
/** Texts in which placeholders are filled. */
const FILLED: Partial<Record<StepKind, readonly string[]>> = { setwj: ['nr'], gettj: ['url', 'get'], setwjt: ['nr'] };

type Wrong = (key: string, params?: Record<string, string | number>) => never;

/**
 * The steps of a program as somebody sent them: an array, or an object whose keys say their order.
 *
 * @param form whose variables the steps may use
 * @throws DeployError STEPS_UNREADABLE, STEP with the number of the step and what is wrong with it
 */
export function readSteps(given: unknown, form: readonly ProgramField[]): ProgramStep[] {
  const items = itemsOf(given);
  if (!items || items.length > MOST_STEPS) throw new DeployError('STEPS_UNREADABLE', { n: MOST_STEPS }, { czf: 'deploy.steps_unreadable' });
  const variables = form.map(({ blx }) => blx);
  return items.map((item, index) => {
    const wrong: Wrong = (key, params = {}) => {
      const why: TextRef = { key: `deploy.step_${key}`, params };
      const n = index + 1;
      // Rows of a page are told by their number.
      throw new DeployError('STEP', { n, why }, { [`czf.${n}`]: why, czf: { key: 'deploy.step', params: { n, why } } });
    };
    return readStep(item, variables, wrong);
  });
}

/** @throws DeployError STEP for a placeholder in the text that is shown at the end which nothing fills */
export function checkMessage(text: string, form: readonly ProgramField[]): void {
  const unknown = unknownPlace(
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
    const place = unknownPlace(step[name]!, variables);
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

/** What a server must have to install a program. Files and copies of them are always needed. */
export function portsFor(steps: readonly ProgramStep[], message: string, hasPhp: boolean): SitePortName[] {
  const kinds = new Set(steps.map(({ cz }) => cz));
  const ports: SitePortName[] = ['files', 'backups'];
  if (kinds.has('setyxml')) ports.push('settings');
  if (kinds.has('setwjt')) ports.push('rewrites');
  if (kinds.has('setphp') || hasPhp) ports.push('php');
  if (databaseUse(steps, message).isNeeded) ports.push('database');
  return ports;
}

/** What a program has to do with the site's database, by its steps and by what it says at the end. */
export function databaseUse(steps: readonly ProgramStep[], message: string): DatabaseUse {
  const filled = steps.flatMap((step) => (FILLED[step.cz] ?? []).map((name) => step[name]!));
  const [inSteps, inAll] = [databaseIn(filled), databaseIn([...filled, message])];
  const runsSql = steps.some(({ cz }) => cz === 'drsql');
  // What it says at the end has no password in it: it is kept, and shown in lists.
  return { isNamed: runsSql || inAll.isNamed, isNeeded: runsSql || inAll.isNeeded, hasPassword: inSteps.hasPassword };
}

/** How a site is served that has just been emptied. */
export const CLEAN_SETTINGS = { runFolder: DEFAULT_WEB_SETTINGS.runFolder, rewrites: DEFAULT_WEB_SETTINGS.rewrites };
