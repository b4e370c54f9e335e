import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { Injectable } from '@nestjs/common';

import { isCron } from '../../common/index.js';
import { checkVersion, type FormValues } from '../../http/index.js';
import type { CommandList, CommandRun, ScheduledCommand } from '../driver/index.js';
import type { OpenSite } from '../site-tools/index.js';

import type { CommandInput } from './command-inputs.js';
import { lineOf, readLine } from './command-line.js';
import { ProgramError, programError } from './program-errors.js';

/** Commands of sites, which are stored only on their servers. */
@Injectable()
export class CommandRepository {
  list(site: OpenSite): Promise<CommandList> {
    return site.ask('commands', (port, account, deadline) => port.list(account, deadline), programError);
  }

  /** @throws ProgramError COMMAND_MISSING */
  async find(site: OpenSite, id: string): Promise<ScheduledCommand> {
    const found = (await this.list(site)).commands.find((command) => command.id === id);
    if (!found) throw new ProgramError('COMMAND_MISSING');
    const { last: _, ...command } = found;
    return command;
  }

  /** Returns the results of a command's last runs, newest first. */
  runs(site: OpenSite, id: string): Promise<readonly CommandRun[]> {
    return site.ask('commands', (port, account, deadline) => port.runs(account, id, deadline), programError);
  }

  /**
   * Adds a command, or changes the given one. An identical command is not added again, so that a repeated request has no effect.
   *
   * Commands are stored only on the server, so the form's version is compared right before the call, and two concurrent changes may both
   * take effect. Nothing can lock them: the panel has no row for them, a transaction must not contain a server call, and the claim of the
   * account is for changes of the account itself. Holding that claim would block a suspension, and a crash while holding it would trigger a
   * comparison of the site with its row.
   *
   * @throws ProgramError COMMAND_MISSING, COMMAND_LIMIT, COMMAND_LINE, COMMAND_SCHEDULE, COMMAND_FOLDER; StaleForm
   */
  async save(site: OpenSite, { jh, ml, sj, wjj, cs, kg, row_version }: CommandInput): Promise<ScheduledCommand> {
    site.port('commands');
    const schedule = readSchedule(sj);
    const wanted = { argv: readLine(ml), schedule, folder: readFolder(wjj), seconds: cs, enabled: kg };
    if (jh !== '') {
      const present = await this.find(site, jh);
      checkVersion(row_version, commandForm(present));
      return this.put(site, { id: present.id, ...wanted });
    }
    const { commands } = await this.list(site);
    const same = commands.find(({ id: _, last: __, ...command }) => isDeepStrictEqual(command, wanted));
    return same ? { id: same.id, ...wanted } : this.put(site, { id: newId(wanted, commands), ...wanted });
  }

  async put(site: OpenSite, command: ScheduledCommand): Promise<ScheduledCommand> {
    await site.ask('commands', (port, account, deadline) => port.put(account, command, deadline), programError);
    return command;
  }

  /** @returns the removed command @throws ProgramError COMMAND_MISSING */
  async remove(site: OpenSite, id: string): Promise<ScheduledCommand> {
    const command = await this.find(site, id);
    await site.ask('commands', (port, account, deadline) => port.remove(account, id, deadline), programError);
    return command;
  }
}

/** Returns the form values of a command. */
export function commandForm({ schedule, argv, folder, seconds, enabled }: Omit<ScheduledCommand, 'id'>) {
  return { ml: lineOf(argv), sj: schedule, wjj: `/${folder}`, cs: String(seconds), kg: enabled } satisfies FormValues;
}

/**
 * Generates the id of a new command from its content, so that of two identical concurrent additions the second overwrites the first. Random
 * if an edited command already has that id.
 */
function newId(wanted: Omit<ScheduledCommand, 'id'>, commands: readonly { readonly id: string }[]): string {
  const hash = createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16);
  return `c${commands.some(({ id }) => id === `c${hash}`) ? randomBytes(8).toString('hex') : hash}`;
}

/** @throws ProgramError COMMAND_SCHEDULE */
function readSchedule(text: string): string {
  const schedule = text.trim().split(/\s+/).join(' ');
  if (!isCron(schedule)) throw new ProgramError('COMMAND_SCHEDULE', {}, { sj: 'siteprograms.schedule_form' });
  return schedule;
}

/** Parses a folder below the web root, and strips surrounding slashes. @throws ProgramError COMMAND_FOLDER */
function readFolder(text: string): string {
  const parts = text.split('/').filter((part) => part !== '');
  const isWrong = parts.some((part) => part === '.' || part === '..') || /\p{Cc}|\p{Cs}/u.test(text);
  if (isWrong) throw new ProgramError('COMMAND_FOLDER', {}, { wjj: 'siteprograms.folder' });
  return parts.join('/');
}
