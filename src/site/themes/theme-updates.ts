import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { compareVersions } from '../../packaging/index.js';
import { ThemeUpdateRow } from '../entities/index.js';

/** Whether betas of a theme are offered; empty: the panel's default. */
export type ThemeBetaChoice = ThemeUpdateRow['betas'];

/** Update state of a theme. */
export type ThemeUpdate = Pick<ThemeUpdateRow, 'betas' | 'newerVersion' | 'newerBeta'>;

const UNKNOWN: ThemeUpdate = { betas: '', newerVersion: '', newerBeta: false };

/** Newer versions of installed themes as of the last check of their stores, and for which of them betas count. */
@Injectable()
export class ThemeUpdates {
  constructor(private readonly database: Database) {}

  /** Returns the update states by theme name. */
  async all(): Promise<Map<string, ThemeUpdate>> {
    return new Map((await this.rows().find()).map((row) => [row.theme, row]));
  }

  async of(theme: string): Promise<ThemeUpdate> {
    return (await this.rows().findOneBy({ theme })) ?? UNKNOWN;
  }

  /** Records the newer version in its store. @param newerVersion empty: none */
  async note(theme: string, newerVersion: string, newerBeta: boolean): Promise<void> {
    const present = await this.of(theme);
    if (present.newerVersion === newerVersion && present.newerBeta === newerBeta) return;
    await this.rows().upsert({ theme, newerVersion, newerBeta }, { conflictPaths: { theme: true } });
  }

  async chooseBetas(theme: string, betas: ThemeBetaChoice): Promise<void> {
    const { betas: present } = await this.of(theme);
    await this.database.transaction(async () => {
      await this.rows().upsert({ theme, betas }, { conflictPaths: { theme: true } });
      this.database.noteChange({ of: 'theme', id: theme }, { betas: present }, { betas });
    });
  }

  /** Deletes the update state of a removed theme. */
  async forget(theme: string): Promise<void> {
    await this.rows().delete({ theme });
  }

  private rows() {
    return this.database.repository(ThemeUpdateRow);
  }
}

/** Returns the newer version if it is newer than the installed one; otherwise empty. */
export function newerThan(version: string, { newerVersion }: Pick<ThemeUpdate, 'newerVersion'>): string {
  return newerVersion !== '' && compareVersions(newerVersion, version) > 0 ? newerVersion : '';
}
