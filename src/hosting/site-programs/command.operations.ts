import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf, sayWords } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { nextVersion, versionOf } from '../../http/index.js';
import { ListReply, NoInput, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { ScheduledCommand } from '../driver/index.js';
import { callerOf, hostOf } from '../files/index.js';
import { sayOfServer } from '../server-access.js';
import { type MaybeHost, SiteAccess, siteOperations } from '../site-tools/index.js';

import { CommandRepository, commandForm } from './command-repository.js';
import { CommandActions, type CommandEnd } from './command-actions.js';
import { CommandIdInput, CommandInput, CommandSwitchInput, CommandTaskInput } from './command-inputs.js';
import { shownSchedule } from './command-schedule.js';
import type { ActionState } from './action-queue.js';

/** Operations on the scheduled commands of a site. Source: docs/panel-api.md "Scheduled commands". */
export const commandOperations = siteOperations((on, side) => {
  @Injectable()
  class CommandOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly repository: CommandRepository,
      private readonly actions: CommandActions,
      private readonly config: AppConfig,
    ) {}

    @Operation(on('crontab_list', NoInput, null, 'read'))
    async list(input: NoInput & MaybeHost, ctx: CallContext): Promise<ListReply> {
      const site = await this.sites.of(input, ctx, 'read');
      const { commands } = await this.repository.list(site);
      const rows = commands.map(({ last, ...command }) => {
        const form = commandForm(command);
        return {
          id: command.id,
          jh: command.id,
          ...form,
          sjm: shownSchedule(form.sj, localeOf(ctx.locale)),
          kg: String(form.kg),
          zt: last === null ? 'never' : last.exit === 0 ? 'success' : 'failed',
          date: last === null ? '' : legacyTime(new Date(last.began), this.config.timezone),
          host: side === 'admin' ? String(site.account.id) : '',
          row_version: versionOf(form),
        };
      });
      return new ListReply(rows.length, rows);
    }

    /** Adds a command, or changes the given one. @throws StaleForm */
    @Operation({ ...on('crontab_save', CommandInput, 'siteprograms.audit_command', 'write'), secondProof: true })
    async save(input: CommandInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const command = await this.repository.save(site, input);
      const extras = { jh: command.id, ...nextVersion(input.row_version, commandForm(command)) };
      return new SuccessReply('siteprograms.command_saved', extras, { host: hostOf(site), ...auditParams(command) });
    }

    @Operation(on('crontab_kg', CommandSwitchInput, 'siteprograms.audit_command', 'write'))
    async enable(input: CommandSwitchInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const command = await this.repository.put(site, { ...(await this.repository.find(site, input.jh)), enabled: input.kg });
      const text = input.kg ? 'siteprograms.command_on' : 'siteprograms.command_off';
      return new SuccessReply(text, {}, { host: hostOf(site), ...auditParams(command) });
    }

    @Operation(on('crontab_del', CommandIdInput, 'siteprograms.audit_command_removed', 'write'))
    async remove(input: CommandIdInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const command = await this.repository.remove(site, input.jh);
      return new SuccessReply('siteprograms.command_removed', {}, { host: hostOf(site), ...auditParams(command) });
    }

    /** Runs a command now, even if its schedule is disabled. If it takes long, the response names the task. */
    @Operation(on('crontab_run', CommandIdInput, 'siteprograms.audit_command_run', 'expensive'))
    async run(input: CommandIdInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const command = await this.repository.find(site, input.jh);
      const { id, now } = await this.actions.start(site.account.id, { command: command.id }, callerOf(ctx));
      if (now.error) throw now.error;
      const line = { host: hostOf(site), ...auditParams(command) };
      if (!now.value) return new SuccessReply('siteprograms.under_way', { task_id: id }, line);
      const { exit, seconds } = now.value;
      return new SuccessReply(endText(now.value), { exit, seconds }, { ...line, n: exit, seconds });
    }

    /** Returns the progress of a requested run. */
    @Operation(on('crontab_task', CommandTaskInput, null, 'read'))
    async task(input: CommandTaskInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const { account } = await this.sites.of(input, ctx, 'read');
      const now = await this.actions.stateOf(account.id, input.task_id);
      return new SuccessReply('siteprograms.command_task', { task_id: input.task_id, jd: now.percent, ...endOf(now, ctx) });
    }

    /** Lists the results of a command's last runs, newest first. */
    @Operation(on('crontab_log', CommandIdInput, null, 'read'))
    async log(input: CommandIdInput & MaybeHost, ctx: CallContext): Promise<ListReply> {
      const site = await this.sites.of(input, ctx, 'read');
      await this.repository.find(site, input.jh);
      const runs = await this.repository.runs(site, input.jh);
      const rows = runs.map(({ began, seconds, exit, output }) => ({
        id: String(began),
        date: legacyTime(new Date(began), this.config.timezone),
        seconds,
        exit,
        zt: exit === 0 ? 'success' : 'failed',
        nr: output,
      }));
      return new ListReply(rows.length, rows);
    }
  }
  return CommandOperations;
});

/** Properties of a command for the operation log; without its arguments, which may contain a password. */
const auditParams = ({ argv, schedule }: ScheduledCommand): { program: string; schedule: string } => ({ program: argv[0]!, schedule });

const endText = ({ exit }: CommandEnd): string => (exit === 0 ? 'siteprograms.command_ran' : 'siteprograms.command_failed');

/** A run with an exit code other than 0 counts as failed. */
function endOf({ state, error, value }: ActionState<CommandEnd>, ctx: CallContext): Record<string, unknown> {
  const say = (key: string, params = {}): string => sayWords(localeOf(ctx.locale), { key, params });
  if (error) return { zt: 'failed', err: error.shape.err, cw: sayOfServer(ctx, error.told) };
  if (!value || value.exit === 0) return { zt: state, ...(value ?? {}) };
  return { zt: 'failed', ...value, cw: say('siteprograms.command_failed', { n: value.exit, seconds: value.seconds }) };
}
