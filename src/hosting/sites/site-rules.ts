import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { DEFAULT_WEB_SETTINGS, type WebSettingsState } from '../driver/index.js';

/** Maximum sites whose settings are cached in memory; the oldest are dropped first. */
const KEPT = 5_000;

interface Kept {
  readonly version: string;
  readonly settings: WebSettingsState;
}

/** Parses stored settings, and fills in the defaults. */
export function readSettings(value: string): WebSettingsState {
  return { ...DEFAULT_WEB_SETTINGS, ...(JSON.parse(value) as Partial<WebSettingsState>) };
}

/** Web settings of sites, cached and reloaded when the version in the site's row changes. */
@Injectable()
export class SiteRules {
  private readonly kept = new Map<number, Kept>();
  private readonly find;

  constructor(database: Database) {
    this.find = database.statement<{ version: string; value: string }>(
      `SELECT {HostWebSettings.version} AS version, {HostWebSettings.value} AS value FROM {HostWebSettings}
       WHERE {HostWebSettings.accountId} = ?`,
    );
  }

  /**
   * Returns cached settings; null if they must be read.
   *
   * @param version current version of the settings; null if the owner has set nothing
   */
  known(accountId: number, version: string | null): WebSettingsState | null {
    if (version === null) return DEFAULT_WEB_SETTINGS;
    const kept = this.kept.get(accountId);
    return kept?.version === version ? kept.settings : null;
  }

  /** @param version as in {@link known} */
  async of(accountId: number, version: string | null): Promise<WebSettingsState> {
    const known = this.known(accountId, version);
    if (known) return known;
    const row = await this.find.get(accountId);
    if (!row) return DEFAULT_WEB_SETTINGS;
    const settings = readSettings(row.value);
    if (this.kept.size >= KEPT) this.kept.delete(this.kept.keys().next().value!);
    this.kept.delete(accountId);
    this.kept.set(accountId, { version: row.version, settings });
    return settings;
  }
}
