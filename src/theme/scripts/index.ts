export { grantedScripts, scriptState, type ScriptGrant, type ScriptState } from './script-grants.js';
export { asksForSecret, withScripts, type ScriptedPage } from './scripted-page.js';
export {
  MAX_SCRIPT_BYTES,
  readThemeScripts,
  SCRIPT_DEFECTS,
  scriptDeclarations,
  scriptDefect,
  SCRIPTS_FOLDER,
  type ThemeScript,
} from './theme-script.js';
