import type { ThemeSide } from '../names.js';
import type { ThemeScript } from './theme-script.js';

/** What an administrator granted to a script of a theme. */
export interface ScriptGrant {
  readonly file: string;
  /** Of the file as it was granted: another one is not run. */
  readonly sha256: string;
  /** The sides it was granted for. */
  readonly sides: readonly ThemeSide[];
  /** Whether it runs on pages that handle money or passwords, too. */
  readonly everywhere: boolean;
}

/** How a script stands to what was granted: `changed` was granted with other content, or for fewer sides. */
export type ScriptState = 'none' | 'plain' | 'everywhere' | 'changed';

/** How a script stands. */
export function scriptState(script: ThemeScript, grants: readonly ScriptGrant[]): ScriptState {
  const grant = grants.find(({ file }) => file === script.file);
  if (!grant) return 'none';
  if (grant.sha256 !== script.sha256 || script.sides.some((side) => !grant.sides.includes(side))) return 'changed';
  return grant.everywhere ? 'everywhere' : 'plain';
}

/** The scripts among `scripts` that run on a page of `side`. @param plain whether it handles neither money nor passwords */
export function grantedScripts(
  scripts: readonly ThemeScript[],
  grants: readonly ScriptGrant[],
  { side, plain }: { readonly side: ThemeSide; readonly plain: boolean },
): ThemeScript[] {
  return scripts.filter((script) => {
    const state = scriptState(script, grants);
    return script.sides.includes(side) && (state === 'everywhere' || (plain && state === 'plain'));
  });
}
