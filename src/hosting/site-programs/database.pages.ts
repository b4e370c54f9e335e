import { Controller } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { versionOf } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { ListDeclaration, Scope } from '../../sdk/index.js';
import { defineList, type ListRow, Page } from '../../web/index.js';
import { shownSize } from '../files/index.js';
import { DatabasePasswords, type OpenSite, SiteAccess, siteVars } from '../site-tools/index.js';

import { addressesForm } from './database-addresses.js';
import { DatabaseBackups } from './database-backups.js';
import { PROGRAM_MENU } from './program-menu.js';
import { databaseOf, opensInBrowser, shownOf } from './site-state.js';

const named = (row: ListRow): Record<string, string> => ({ bf: String(row.id), ...(row.host ? { id: String(row.host) } : {}) });

/** Declares the list of a database's backups. */
const backupsOf = (side: Scope): ListDeclaration =>
  defineList({
    id: 'database-backups',
    operation: 'backup_list',
    given: side === 'admin' ? ['id'] : [],
    empty: 'database.no_backups',
    whole: true,
    columns: [
      { field: 'date', title: 'database.date', kind: 'moment' },
      { field: 'name', title: 'database.file', kind: 'code' },
      { field: 'dx', title: 'database.size', whole: true },
    ],
    actions: [
      { label: 'database.download', operation: 'databasedownload', fields: named, opens: 'url', then: 'nothing' },
      {
        label: 'database.restore',
        tone: 'primary',
        operation: 'databaserestore',
        fields: named,
        confirm: 'database.restore_confirm',
        follows: 'database-task',
      },
      { label: 'database.remove', tone: 'danger', operation: 'databasedel', fields: named, confirm: 'database.remove_confirm' },
    ],
  });

/** Pages of a site's database, for its owner and for administrators. */
@Controller()
export class DatabasePages {
  constructor(
    private readonly sites: SiteAccess,
    private readonly passwords: DatabasePasswords,
    private readonly backups: DatabaseBackups,
    private readonly clock: ZonedClock,
  ) {}

  @Page({
    side: 'user',
    path: 'database',
    title: 'siteprograms.menu.database',
    menu: { order: 20, under: PROGRAM_MENU, offer: 'database' },
    lists: [backupsOf('user')],
  })
  own(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.shown(site, call));
  }

  @Page({
    side: 'admin',
    path: 'host-database',
    view: 'database',
    title: 'siteprograms.menu.database',
    needs: ['databasexx', 'backup_list'],
    lists: [backupsOf('admin')],
  })
  ofHost(call: RequestContext): Promise<object> {
    return siteVars(this.sites, call, (site) => this.shown(site, call));
  }

  private async shown(site: OpenSite, call: RequestContext): Promise<object> {
    const { username: user, id, databaseQuotaMb: quota } = site.account;
    if (!site.has('database')) return { user, able: false };
    const port = site.port('database');
    const [known, most, shown] = await Promise.all([
      this.passwords.find(id),
      this.backups.limitOf(site),
      shownOf(call, async () => {
        const [{ bytes, ...database }, canSignIn] = await Promise.all([databaseOf(site), opensInBrowser(site)]);
        return {
          can_sign_in: canSignIn,
          database: { ...database, size: bytes === null ? '' : shownSize(bytes) },
          addresses: database.addresses.join('\n'),
          addresses_version: versionOf(addressesForm(database.addresses)),
        };
      }),
    ]);
    const setAt = known ? legacyTime(known.setAt, this.clock.timezone) : '';
    return {
      user,
      able: true,
      quota,
      known: setAt,
      most,
      can_clear: port.clear !== undefined,
      save_as: port.save === undefined ? '' : `/${site.account.username}-${this.clock.today()}.sql.gz`,
      ...shown,
    };
  }
}
