import type { ActionName } from '../../src/agents/wire/actions.js';

/** Call of a move to the source or the target server: the nth call of this action, and the phase of the move. */
export type MoveStep = readonly [side: 'from' | 'to', action: ActionName, nth: number, kind: string];

/** Steps before which the panel is killed. */
export const MOVE_STEPS: readonly MoveStep[] = [
  ['to', 'site.create', 1, 'a place is made'],
  ['to', 'domains.apply', 2, 'a place is made'],
  ['from', 'backups.mark', 1, 'it is copied'],
  ['from', 'backups.make', 1, 'it is copied'],
  ['from', 'backups.open', 1, 'it is copied'],
  ['to', 'databases.import', 1, 'it is copied'],
  ['to', 'backups.restore', 1, 'it is copied'],
  ['from', 'sftp.switch', 1, 'it stands still'],
  ['from', 'commands.settle', 1, 'it stands still'],
  ['from', 'databases.dump', 2, 'it stands still'],
  ['from', 'credentials.take', 1, 'it stands still'],
  ['to', 'credentials.give', 1, 'it stands still'],
  ['to', 'site.quota', 1, 'it is in service'],
  ['to', 'site.sync', 1, 'it is in service'],
  ['to', 'site.unsuspend', 1, 'it is in service'],
  ['from', 'site.suspend', 1, 'it is in service'],
];
