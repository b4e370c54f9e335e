import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/index.js';
import { Database, Generations } from '../../../database/index.js';
import { scriptState, ThemeCatalogue, type ScriptGrant, type ScriptState, type ThemeScript } from '../../../theme/index.js';
import { ThemeScriptGrantRow } from '../../entities/index.js';
import { ThemeChoiceError } from '../errors.js';

const GENERATION = 'theme_scripts';

/** A script of a theme, and how it stands. */
export interface StandingScript {
  readonly script: ThemeScript;
  readonly state: ScriptState;
  /** Who granted it, and when; null where nobody did. */
  readonly grant: { readonly by: string; readonly at: Date } | null;
}

/**
 * Which scripts of themes administrators have granted: of a theme as it is used, so that a child theme runs its parent's scripts by grants
 * of its own. What changes is everywhere within two seconds.
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

  /** Follows what other processes change, from now on. */
  async start(): Promise<void> {
    await this.generations.follow(GENERATION, () => this.load());
    await this.load();
  }

  /** What was granted to a theme. */
  of(theme: string): readonly ScriptGrant[] {
    return this.granted.get(theme) ?? [];
  }

  /** The scripts of a theme, and how each stands. */
  standing(theme: string): StandingScript[] {
    const grants = this.granted.get(theme) ?? [];
    return (this.catalogue.package(theme)?.scripts ?? []).map((script) => {
      const row = grants.find(({ file }) => file === script.file);
      return { script, state: scriptState(script, grants), grant: row ? { by: row.grantedBy, at: row.grantedAt } : null };
    });
  }

  /**
   * Lets a script run: first on pages that handle neither money nor passwords, and in a second step everywhere.
   *
   * @param sha256 of what the administrator has looked at
   * @throws ThemeChoiceError NO_SCRIPT; SCRIPT_CHANGED where the file is another meanwhile; SCRIPT_FIRST for the second step alone
   */
  async grant(theme: string, file: string, { sha256, everywhere, by }: { sha256: string; everywhere: boolean; by: string }): Promise<void> {
    const found = this.standing(theme).find(({ script }) => script.file === file);
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

  /** Takes back what was granted to a script. */
  async revoke(theme: string, file: string): Promise<void> {
    await this.change(theme, { [file]: null }, async () => void (await this.rows().delete({ theme, file })));
  }

  /** Takes back all that was granted to a theme: it is gone, was blocked, or is another version again. */
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
