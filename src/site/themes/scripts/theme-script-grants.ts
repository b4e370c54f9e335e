import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/index.js';
import { Database, Generations } from '../../../database/index.js';
import { scriptState, ThemeCatalogue, type ScriptGrant, type ScriptState, type ThemeScript } from '../../../theme/index.js';
import { ThemeScriptGrantRow } from '../../entities/index.js';
import { ThemeChoiceError } from '../errors.js';

const GENERATION = 'theme_scripts';

/** A script of a theme and its permission state. */
export interface ScriptStatus {
  readonly script: ThemeScript;
  readonly state: ScriptState;
  /** Who permitted it, and when; null if nobody did. */
  readonly grant: { readonly by: string; readonly at: Date } | null;
}

/**
 * Permissions that administrators granted to scripts of themes. They belong to the theme in use, so a child theme needs its own grants to
 * run its parent's scripts. Changes reach every process within two seconds.
 */
@Injectable()
export class ThemeScriptGrants {
  private granted = new Map<string, ThemeScriptGrantRow[]>();
  private readonly widen;

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly catalogue: ThemeCatalogue,
    private readonly clock: Clock,
  ) {
    this.widen = database.statement(
      `UPDATE {ThemeScriptGrantRow} SET {ThemeScriptGrantRow.everywhere} = ?, {ThemeScriptGrantRow.grantedBy} = ?,
       {ThemeScriptGrantRow.grantedAt} = ? WHERE {ThemeScriptGrantRow.theme} = ? AND {ThemeScriptGrantRow.file} = ?
       AND {ThemeScriptGrantRow.sha256} = ?`,
    );
  }

  /** Loads the grants and starts following changes of other processes. */
  async start(): Promise<void> {
    await this.generations.follow(GENERATION, () => this.load());
    await this.load();
  }

  /** Returns the grants of a theme. */
  of(theme: string): readonly ScriptGrant[] {
    return this.granted.get(theme) ?? [];
  }

  /** Returns the scripts of a theme with their states. */
  scriptsOf(theme: string): ScriptStatus[] {
    const grants = this.granted.get(theme) ?? [];
    return (this.catalogue.package(theme)?.scripts ?? []).map((script) => {
      const row = grants.find(({ file }) => file === script.file);
      return { script, state: scriptState(script, grants), grant: row ? { by: row.grantedBy, at: row.grantedAt } : null };
    });
  }

  /**
   * Permits a script: first on pages that handle neither money nor passwords, and in a second step everywhere.
   *
   * @param sha256 of the file the administrator has reviewed
   * @throws ThemeChoiceError NO_SCRIPT; SCRIPT_CHANGED if the file changed meanwhile; SCRIPT_FIRST if the first step is missing
   */
  async grant(theme: string, file: string, { sha256, everywhere, by }: { sha256: string; everywhere: boolean; by: string }): Promise<void> {
    const found = this.scriptsOf(theme).find(({ script }) => script.file === file);
    if (!found) throw new ThemeChoiceError('NO_SCRIPT', { theme });
    const { script, state } = found;
    if (script.sha256 !== sha256) throw new ThemeChoiceError('SCRIPT_CHANGED', { theme });
    if (everywhere && state !== 'plain' && state !== 'everywhere') throw new ThemeChoiceError('SCRIPT_FIRST', { theme });
    await this.change(theme, { [file]: everywhere ? `${sha256} everywhere` : sha256 }, async () => {
      const now = this.clock.now();
      if (everywhere) {
        const { affected } = await this.widen.run(true, by, now, theme, file, sha256);
        if (affected === 0) throw new ThemeChoiceError('SCRIPT_FIRST', { theme });
        return;
      }
      const row = { theme, file, sha256, sides: [...script.sides], everywhere: false, grantedBy: by, grantedAt: now };
      await this.rows().upsert(row, { conflictPaths: { theme: true, file: true } });
    });
  }

  /** Revokes the grant of a script. */
  async revoke(theme: string, file: string): Promise<void> {
    await this.change(theme, { [file]: null }, async () => void (await this.rows().delete({ theme, file })));
  }

  /** Revokes all grants of a theme, because it was removed, blocked, or changed to another version. */
  async forget(theme: string): Promise<void> {
    if ((await this.rows().countBy({ theme })) === 0) return;
    const files = this.of(theme).map(({ file }) => [file, null] as const);
    await this.change(theme, Object.fromEntries(files), async () => void (await this.rows().delete({ theme })));
  }

  private async change(theme: string, after: Record<string, string | null>, work: () => Promise<void>): Promise<void> {
    const before = this.of(theme).map((grant) => [grant.file, grant.everywhere ? `${grant.sha256} everywhere` : grant.sha256] as const);
    await this.database.transaction(async () => {
      await work();
      this.database.noteChange({ of: 'theme', id: theme }, Object.fromEntries(before), after);
      await this.generations.bump(GENERATION);
    });
    await this.load();
    await this.generations.catchUp(GENERATION);
  }

  private async load(): Promise<void> {
    const granted = new Map<string, ThemeScriptGrantRow[]>();
    for (const row of await this.rows().find()) granted.set(row.theme, [...(granted.get(row.theme) ?? []), row]);
    this.granted = granted;
  }

  private rows() {
    return this.database.repository(ThemeScriptGrantRow);
  }
}
