import type { DebianMachine } from '../debian-machine.js';
import type { MachineSite } from '../machine-sites.js';

/** Fixture of the action cases: a machine, and sites on it. */
export interface CasePlace {
  readonly machine: DebianMachine;
  /** Site with two databases, files, a backup archive and a command. */
  readonly site: MachineSite;
  /** Sites that cases create and remove: a site, the same site with the owner mark of another account, and a second site. */
  readonly other: MachineSite;
  readonly adopted: MachineSite;
  readonly third: MachineSite;
  /** Address of a fake object storage that stores uploads, with the name of an object. */
  readonly storage: string;
}

/** Test case of an action of the agent. */
export interface ActionCase {
  /** Site the action works on, the main site by default; null for an action on the server. */
  readonly of?: keyof Pick<CasePlace, 'site' | 'other' | 'adopted' | 'third'> | null;
  readonly args?: object | ((place: CasePlace) => object | Promise<object>);
  readonly body?: string;
  /** Restores the state the action starts from, whatever happened before. Required for actions that change something. */
  readonly before?: (place: CasePlace) => Promise<unknown>;
  /** Expected outcome if the action is repeated after it was done: `ok` or `already` by default. */
  readonly again?: 'refused' | 'not_found';
  /** State that an interrupted action may leave different from both before and after until it is called again, and why. */
  readonly between?: readonly [what: RegExp, why: string];
}
