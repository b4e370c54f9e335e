import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { DEFAULT_WEB_SETTINGS, type WebSettingsState } from '../driver/index.js';
import { HostingAccount, HostWebSettings } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { type OpenSite, applyOrUndo } from '../site-tools/index.js';
import { readSettings } from '../sites/index.js';

import { WebSettingError } from './setting-errors.js';

/** Maximum size of a site's settings as JSON, in bytes. */
const MAX_BYTES = 60_000;

/** Returns the settings in `given` for the operation log; passwords only as folder and user. */
const loggedSettings = (settings: WebSettingsState, given: Partial<WebSettingsState>): Record<string, string> =>
  Object.fromEntries(
    (Object.keys(given) as (keyof WebSettingsState)[]).map((name) => [
      `site.${name}`,
      JSON.stringify(name === 'passwords' ? settings.passwords.map(({ folder, user }) => ({ folder, user })) : settings[name]),
    ]),
  );

/** Rows of the settings of sites, and how they are applied to servers. */
@Injectable()
export class WebSettingRepository {
  constructor(private readonly database: Database) {}

  /** Returns the settings of a site. */
  async of(accountId: number): Promise<WebSettingsState> {
    const row = await this.database.repository(HostWebSettings).findOneBy({ accountId });
    return row ? readSettings(row.value) : DEFAULT_WEB_SETTINGS;
  }

  /** Returns whether any setting was ever stored; otherwise nothing was applied to the server either. */
  isSet(accountId: number): Promise<boolean> {
    return this.database.repository(HostWebSettings).existsBy({ accountId });
  }

  /**
   * Changes settings, based on the stored ones. They are then always applied to the server, so that a repeated request repairs a failed
   * one; see {@link applyOrUndo} for an unreachable server.
   *
   * @param change returns the changed settings
   * @throws errors of `change`; WebSettingError TOO_MANY; HostingError PORT_MISSING, ACCOUNT_STATE, and errors of the server
   */
  async change(site: OpenSite, change: (present: WebSettingsState) => Partial<WebSettingsState>): Promise<WebSettingsState> {
    const { cannot = [] } = site.port('settings');
    const { id } = site.account;
    const { settings, undo } = await this.database.transaction(async () => {
      // Serializes concurrent changes.
      await this.database.lockRow('HostingAccount', 'id', id);
      if (!(await this.database.repository(HostingAccount).existsBy({ id }))) throw new HostingError('ACCOUNT_STATE');
      const rows = this.database.repository(HostWebSettings);
      const row = await rows.findOneBy({ accountId: id });
      const present = row ? readSettings(row.value) : DEFAULT_WEB_SETTINGS;
      const given = change(present);
      if (cannot.some((name) => name in given)) throw new HostingError('PORT_MISSING');
      const next = { ...present, ...given };
      const value = JSON.stringify(next);
      if (Buffer.byteLength(value) > MAX_BYTES) throw new WebSettingError('TOO_MANY', { n: MAX_BYTES });
      const version = randomBytes(12).toString('hex');
      if (row) await rows.update({ accountId: id }, { version, value });
      else await rows.insert({ accountId: id, version, value });
      this.database.noteChange({ of: 'host', id }, loggedSettings(present, given), loggedSettings(next, given));
      const mine = { accountId: id, version };
      return { settings: next, undo: () => (row ? rows.update(mine, { version: row.version, value: row.value }) : rows.delete(mine)) };
    });
    await applyOrUndo(() => site.ask('settings', (port, account, deadline) => port.apply(account, settings, deadline)), undo);
    return settings;
  }
}
