import { Controller } from '@nestjs/common';

import { legacyTime, localeOf } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { ListDeclaration, Scope } from '../../sdk/index.js';
import { defineList, type ListRow, Page, PageMissing, PageRedirect } from '../../web/index.js';
import { MAX_COMMANDS } from '../driver/index.js';
import { type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';

import { CommandRepository } from './command-repository.js';
import { lineOf } from './command-line.js';
import { shownSchedule, SUGGESTED_SCHEDULES } from './command-schedule.js';
import { PROGRAM_MENU } from './program-menu.js';
import { shownOf } from './site-state.js';

const isOn = (row: ListRow): boolean => row.kg === 'true';
const host = (row: ListRow): Record<string, string> => (row.host ? { id: String(row.host) } : {});
const named = (row: ListRow): Record<string, string> => ({ ...host(row), jh: String(row.jh) });

/** Declares the list of a site's commands. */
const commandsOf = (side: Scope): ListDeclaration =>
  defineList({
    id: 'commands',
    operation: 'crontab_list',
    given: side === 'admin' ? ['id'] : [],
    empty: 'commands.empty',
    whole: true,
    columns: [
      { field: 'ml', title: 'commands.line', kind: 'code' },
      { field: 'sjm', title: 'commands.when' },
      {
        field: 'kg',
        title: 'commands.state',
        kind: 'badge',
        badges: { true: ['green', 'commands.on'], false: ['secondary', 'commands.off'] },
      },
      {
        field: 'zt',
        title: 'commands.last',
        kind: 'badge',
        badges: {
          never: ['secondary', 'commands.never'],
          success: ['green', 'commands.succeeded'],
          failed: ['red', 'commands.failed'],
        },
      },
      { field: 'date', title: 'commands.last_date', kind: 'moment' },
    ],
    actions: [
      {
        label: 'commands.run',
        tone: 'primary',
        operation: 'crontab_run',
        fields: named,
        confirm: 'commands.run_confirm',
        follows: 'command-task',
      },
      {
        label: 'commands.log',
        operation: 'crontab_log',
        href: (row) => (row.host ? `/admin/host-command?id=${String(row.host)}&` : '/user/command?') + `jh=${String(row.jh)}`,
      },
      {
        label: 'commands.edit',
        dialog: 'edit-command',
        operation: 'crontab_save',
        fills: ['jh', 'ml', 'sj', 'wjj', 'cs', 'kg', 'row_version'],
      },
      { label: 'commands.turn_on', when: (row) => !isOn(row), operation: 'crontab_kg', fields: (row) => ({ ...named(row), kg: 'true' }) },
      { label: 'commands.turn_off', when: isOn, operation: 'crontab_kg', fields: (row) => ({ ...named(row), kg: 'false' }) },
      { label: 'commands.remove', tone: 'danger', operation: 'crontab_del', fields: named, confirm: 'commands.remove_confirm' },
    ],
  });

/** Pages of a site's scheduled commands and their results, for its owner and for administrators. */
@Controller()
export class CommandPages {
  constructor(
    private readonly sites: SiteAccess,
    private readonly repository: CommandRepository,
    private readonly config: AppConfig,
  ) {}

  @Page({
    side: 'user',
    path: 'commands',
    title: 'siteprograms.menu.commands',
    menu: { order: 40, under: PROGRAM_MENU, offer: 'commands' },
    lists: [commandsOf('user')],
  })
  own(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.shown(site, call));
  }

  @Page({ side: 'admin', path: 'host-commands', view: 'commands', title: 'siteprograms.menu.commands', lists: [commandsOf('admin')] })
  ofHost(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.shown(site, call));
  }

  @Page({ side: 'user', path: 'command', title: 'siteprograms.menu.commands' })
  ownLog(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.log(site, call));
  }

  @Page({
    side: 'admin',
    path: 'host-command',
    view: 'command',
    title: 'siteprograms.menu.commands',
    needs: ['crontab_list', 'crontab_log'],
  })
  logOfHost(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.log(site, call));
  }

  private async shown(site: OpenSite, call: RequestContext): Promise<object> {
    const user = site.account.username;
    if (!site.has('commands')) return { user, able: false };
    const schedules = SUGGESTED_SCHEDULES.map((value) => ({ value, text: shownSchedule(value, localeOf(call.locale)) }));
    const shown = await shownOf(call, async () => {
      const { commands, zone } = await this.repository.list(site);
      return { zone, used: commands.length };
    });
    return { user, able: true, most: MAX_COMMANDS, schedules, ...shown };
  }

  /** @throws PageMissing if the site has no such command */
  private async log(site: OpenSite, call: RequestContext): Promise<object> {
    const { query, locale, scope } = call;
    const { username: user, id } = site.account;
    const back = scope === 'admin' ? `/admin/host-commands?id=${id}` : '/user/commands';
    if (!site.has('commands')) throw new PageRedirect(back);
    const shown = await shownOf(call, async () => {
      const command = (await this.repository.list(site)).commands.find((one) => one.id === query.jh);
      if (!command) throw new PageMissing();
      const runs = await this.repository.runs(site, command.id);
      return {
        line: lineOf(command.argv),
        when: shownSchedule(command.schedule, localeOf(locale)),
        runs: runs.map(({ began, seconds, exit, output }) => ({
          date: legacyTime(new Date(began), this.config.timezone),
          seconds,
          exit,
          output,
        })),
      };
    });
    return { user, back, ...shown };
  }
}
