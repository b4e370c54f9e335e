import type { DebianMachine } from '../debian-machine.js';
import type { MachineSite } from '../machine-sites.js';

/** Where actions are tried: a machine, and sites on it. */
export interface CasePlace {
  readonly machine: DebianMachine;
  /** A site with two databases, files, an archive of a backup and a command. */
  readonly site: MachineSite;
  /** Sites that come and go: as it is made, under the mark of another account, and one beside it. */
  readonly other: MachineSite;
  readonly adopted: MachineSite;
  readonly third: MachineSite;
  /** Address of a storage that keeps what it is sent, with the name of an object behind it. */
  readonly storage: string;
}

/** What an action is tried with. */
export interface ActionCase {
  /** The site it is about; none where it is about the server. */
  readonly of?: keyof Pick<CasePlace, 'site' | 'other' | 'adopted' | 'third'> | null;
  readonly args?: object | ((place: CasePlace) => object | Promise<object>);
  readonly body?: string;
  /** Brings everything into the state it begins from, whatever has been. An action that changes something has one, one that reads none. */
  readonly before?: (place: CasePlace) => Promise<unknown>;
  /** What it answers where it was done already: `ok` or `already` where nothing is said. */
  readonly again?: 'refused' | 'not_found';
  /** What may be as it was neither before nor after it until it is called again, and why. */
  readonly between?: readonly [what: RegExp, why: string];
}
