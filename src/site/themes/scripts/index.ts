export { ThemeScriptGrants } from './theme-script-grants.js';
export { ThemeScriptOperations } from './theme-script.operations.js';
export { ThemeScriptPages } from './theme-script.pages.js';
