import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { compareVersions } from '../../packaging/index.js';
import { ThemeUpdateRow } from '../entities/index.js';

/** Whether betas of a theme are offered; empty: as the panel has it. */
export type ThemeBetaChoice = ThemeUpdateRow['betas'];

/** What is known of a theme's updates. */
export type ThemeUpdate = Pick<ThemeUpdateRow, 'betas' | 'newerVersion' | 'newerBeta'>;

const UNKNOWN: ThemeUpdate = { betas: '', newerVersion: '', newerBeta: false };

/** What stores have that is newer than installed themes, as it was when they were asked last, and for which of them betas count. */
@Injectable()
export class ThemeUpdates {
  constructor(private readonly database: Database) {}

  /** By the name of the theme. */
  async all(): Promise<Map<string, ThemeUpdate>> {
    return new Map((await this.rows().find()).map((row) => [row.theme, row]));
  }

  async of(theme: string): Promise<ThemeUpdate> {
    return (await this.rows().findOneBy({ theme })) ?? UNKNOWN;
  }

  /** Keeps what its store has. @param newerVersion empty: nothing newer */
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

  /** Forgets what was chosen and found of a theme that is taken away. */
  async forget(theme: string): Promise<void> {
    await this.rows().delete({ theme });
  }

  private rows() {
    return this.database.repository(ThemeUpdateRow);
  }
}

/** What of it is newer than the version that is there; empty: nothing. */
export function newerThan(version: string, { newerVersion }: Pick<ThemeUpdate, 'newerVersion'>): string {
  return newerVersion !== '' && compareVersions(newerVersion, version) > 0 ? newerVersion : '';
}
