import type { ThemeSide } from '../names.js';
import type { ThemeScript } from './theme-script.js';

/** An administrator's permission for a script of a theme. */
export interface ScriptGrant {
  readonly file: string;
  /** SHA-256 of the permitted file: any other content is not run. */
  readonly sha256: string;
  /** The sides it is permitted for. */
  readonly sides: readonly ThemeSide[];
  /** Whether it also runs on pages that handle money or passwords. */
  readonly everywhere: boolean;
}

/** Permission state of a script: `changed` means it was permitted with other content, or for fewer sides. */
export type ScriptState = 'none' | 'plain' | 'everywhere' | 'changed';

/** Returns the permission state of a script. */
export function scriptState(script: ThemeScript, grants: readonly ScriptGrant[]): ScriptState {
  const grant = grants.find(({ file }) => file === script.file);
  if (!grant) return 'none';
  if (grant.sha256 !== script.sha256 || script.sides.some((side) => !grant.sides.includes(side))) return 'changed';
  return grant.everywhere ? 'everywhere' : 'plain';
}

/** Returns those of `scripts` that run on a page of `side`. @param plain whether it handles neither money nor passwords */
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
