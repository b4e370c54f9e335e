import { Controller } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { AppError, localeOf, sayWords, waitAtMost } from '../../common/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { BadgeColour, ListDeclaration } from '../../sdk/index.js';
import { defineList, type ListRow, Page, PageMissing } from '../../web/index.js';
import { AccountStore } from '../accounts/index.js';
import { DriverRegistry } from '../driver/index.js';
import { SWITCHING, type HostingAccount, type SiteMoveState } from '../entities/index.js';
import { NodesService } from '../nodes/index.js';
import { patienceOf } from '../site-tools/index.js';

import { translatedFit, translatedTimeout } from './move-fit.js';
import { MoveRecords } from './move-records.js';
import { MoveRows } from './move-rows.js';
import { MoveWork } from './move-work.js';

const ofHost = (row: ListRow): Record<string, string> => ({ id: String(row.host) });
const isRunning = (row: ListRow): boolean => row.zt === 'copying' || row.zt === 'closing';

/** States of moves, as badges. */
const STATES: Readonly<Record<SiteMoveState, readonly [BadgeColour, string]>> = {
  copying: ['blue', 'site_moves.copying'],
  closing: ['yellow', 'site_moves.closing'],
  [SWITCHING]: ['blue', 'site_moves.settling'],
  kept: ['green', 'site_moves.kept'],
  returning: ['yellow', 'site_moves.returning'],
  clearing: ['secondary', 'site_moves.clearing'],
  done: ['green', 'site_moves.done'],
  undoing: ['yellow', 'site_moves.undoing'],
  failed: ['red', 'site_moves.failed'],
};

/** Declares the list of moves. @param given query parameters of the page that filter the list */
const movesOf = (given: readonly string[]): ListDeclaration =>
  defineList({
    id: 'site-moves',
    operation: 'listqy',
    given: [...given],
    empty: 'site_moves.empty',
    filters: given.includes('id') ? [] : [{ field: 'zt', label: 'site_moves.state', choices: stateChoices() }],
    columns: [
      { field: 'user', title: 'hosts.user', whole: true },
      { field: 'from', title: 'site_moves.from', kind: 'code' },
      { field: 'to', title: 'site_moves.to', kind: 'code' },
      { field: 'zt', title: 'site_moves.state', kind: 'badge', badges: STATES },
      {
        field: 'date',
        title: 'site_moves.begun',
        kind: 'moment',
        notes: [
          { text: (row) => String(row.bz ?? ''), at: (row) => String(row.returned_at ?? '') },
          { text: (row) => String(row.cw ?? ''), tone: 'danger' },
        ],
      },
      { field: 'blsj', title: 'site_moves.kept_until', kind: 'moment' },
      { field: 'by', title: 'site_moves.by' },
    ],
    actions: [
      { label: 'hosts.open', operation: 'listzjls', href: (row) => `/admin/host?id=${String(row.host)}` },
      { label: 'site_moves.move', operation: 'zjqy', href: (row) => `/admin/host-move?id=${String(row.host)}` },
      {
        label: 'site_moves.stop',
        when: isRunning,
        tone: 'danger',
        operation: 'zjqytz',
        fields: ofHost,
        confirm: 'site_moves.stop_confirm',
        then: 'reload',
      },
    ],
  });

function stateChoices(): [string, string][] {
  return Object.entries(STATES).map(([state, [, text]]) => [state, text]);
}

/** Pages for moving sites to other servers, and for the moves' outcome. */
@Controller()
export class MovePages {
  constructor(
    private readonly store: AccountStore,
    private readonly nodes: NodesService,
    private readonly drivers: DriverRegistry,
    private readonly records: MoveRecords,
    private readonly rows: MoveRows,
    private readonly work: MoveWork,
  ) {}

  @Page({
    side: 'admin',
    path: 'moves',
    title: 'moves.menu.moves',
    menu: { icon: 'mdi-swap-horizontal', order: 22.7 },
    lists: [movesOf(['qk_id', 'zt'])],
  })
  moves(): object {
    return {};
  }

  /** Shows the move of one host: possible servers, the result of the check, the progress, and the return. */
  @Page({ side: 'admin', path: 'host-move', title: 'moves.menu.moves', needs: ['zjqy'], lists: [movesOf(['id'])] })
  async host(call: RequestContext): Promise<object> {
    const account = await this.store.find(Number(call.query.id) || 0);
    const servers = await this.nodes.choices(accessOf(call.admin).servers);
    if (!account || !servers.some(({ code }) => code === account.nodeCode)) throw new PageMissing();
    const latest = await this.records.latest(account.id);
    const choices = servers.filter(
      ({ code, enabled, driver }) => code !== account.nodeCode && enabled && this.drivers.find(driver)?.backups,
    );
    const wanted = choices.find(({ code }) => code === call.query.btdh)?.code ?? '';
    const isIdle = latest === null || latest.busy === null;
    return {
      host: { id: account.id, user: account.username, node: account.nodeCode },
      servers: choices.map(({ code, driver }) => ({ code, kind: this.drivers.find(driver)?.title(call.locale) ?? driver })),
      wanted,
      check: wanted !== '' && isIdle ? await this.check(account, wanted, call) : null,
      move:
        latest && latest.state !== 'failed'
          ? { ...(await this.rows.of(latest, localeOf(call.locale))), running: latest.busy !== null }
          : null,
    };
  }

  private async check(account: HostingAccount, code: string, call: RequestContext): Promise<object> {
    const locale = localeOf(call.locale);
    try {
      const pending = this.work.check(account.id, code);
      // Both servers are queried several times; the page does not wait for one that hangs. The move repeats the check itself.
      const patience = patienceOf(call)();
      if (patience !== null && !(await waitAtMost(pending, patience))) return translatedTimeout(locale);
      const fit = translatedFit(await pending, locale);
      return { fits: fit.blocks.length === 0, ...fit };
    } catch (error) {
      if (error instanceof AppError) return { fits: false, blocks: [sayWords(locale, error.told)], notes: [] };
      throw error;
    }
  }
}
