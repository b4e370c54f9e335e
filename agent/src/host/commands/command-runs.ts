import * as fs from 'node:fs/promises';
import path from 'node:path';

import type { ActionResult } from '../../../../src/agents/wire/actions.js';
import { putFile, readText } from '../files.js';
import type { SiteUser } from '../users/system-users.js';

/** Result of a run. */
export type CommandRun = ActionResult<'commands.runs'>['runs'][number];

const MAX_RUNS = 20;
const MAX_OUTPUT = 2_000;

/** Stores the results of the last runs, one file per command, readable by root only. */
export class CommandRuns {
  private readonly folder: string;

  constructor(stateDir: string) {
    this.folder = path.join(stateDir, 'runs');
  }

  /** Returns the runs of a command, newest first. */
  async of({ user }: Pick<SiteUser, 'user'>, id: string): Promise<CommandRun[]> {
    return JSON.parse((await readText(path.join(this.folder, user, `${id}.json`))) ?? '[]') as CommandRun[];
  }

  /** Stores a run. */
  async add(site: Pick<SiteUser, 'user'>, id: string, run: CommandRun): Promise<void> {
    await fs.mkdir(path.join(this.folder, site.user), { recursive: true, mode: 0o700 });
    const runs = [{ ...run, output: run.output.slice(-MAX_OUTPUT) }, ...(await this.of(site, id))].slice(0, MAX_RUNS);
    await putFile(path.join(this.folder, site.user, `${id}.json`), JSON.stringify(runs), { mode: 0o600 });
  }

  /** Deletes the runs of a command, or of all commands of a site. */
  async forget({ user }: Pick<SiteUser, 'user'>, id: string | null): Promise<void> {
    await fs.rm(path.join(this.folder, user, id === null ? '' : `${id}.json`), { recursive: true, force: true });
  }
}
