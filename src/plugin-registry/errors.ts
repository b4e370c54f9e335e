import { AppError, translate, type ErrorShape, type TextParams } from '../common/index.js';

/** Why a plugin cannot be installed, enabled or removed, and harm it did to the process. */
export type PluginErrorCode =
  | 'SLUG_INVALID'
  | 'PLUGIN_NOT_FOUND'
  | 'MANIFEST_MISSING'
  | 'MANIFEST_INVALID'
  | 'ENTRY_MISSING'
  | 'ID_MISMATCH'
  | 'VERSION_INVALID'
  | 'SLUG_TAKEN'
  | 'NOT_INSTALLED'
  | 'API_MISMATCH'
  | 'DEPENDENCY_NOT_INSTALLED'
  | 'DEPENDENCY_NOT_ENABLED'
  | 'DEPENDENCY_VERSION'
  | 'DEPENDENCY_CYCLE'
  | 'ACTIVATION_FAILED'
  | 'UPGRADE_FAILED'
  | 'ES_MODULE'
  | 'TOP_LEVEL_AWAIT'
  | 'CODE_BROKEN'
  | 'NATIVE_ADDON'
  | 'MODULE_NOT_FOUND'
  | 'DYNAMIC_IMPORT'
  | 'NOT_INJECTABLE'
  | 'CONTROLLER'
  | 'MIDDLEWARE'
  | 'APP_PROVIDER'
  | 'STEP_DATA_FIRST'
  | 'STEP_WITHOUT_DOWN'
  | 'STEP_REPOSITORY'
  | 'ENTITY_TABLE'
  | 'DATA_SOURCE'
  | 'PAGE_MISSING'
  | 'FILES_GONE'
  | 'QUARANTINED'
  | 'SAFE_MODE'
  | 'STALLED'
  | 'ENDED_WHILE_STARTING'
  | 'ENDED_WHILE_STALLED'
  | 'STILL_NEEDED'
  | 'PERMISSION_MISSING'
  | 'SERVICE_MISSING'
  | 'SHARED_CHANGED';

const ERROR_MAP: Record<PluginErrorCode, ErrorShape> = {
  SLUG_INVALID: { err: 'E_ARGS', text: 'plugins.slug_invalid' },
  PLUGIN_NOT_FOUND: { err: 'E_NOTEXIST', text: 'plugins.not_found' },
  MANIFEST_MISSING: { err: 'E_NOTEXIST', text: 'plugins.manifest_missing' },
  MANIFEST_INVALID: { err: 'E_ARGS', text: 'plugins.manifest_invalid' },
  ID_MISMATCH: { err: 'E_ARGS', text: 'plugins.id_mismatch' },
  VERSION_INVALID: { err: 'E_ARGS', text: 'plugins.version_invalid' },
  ENTRY_MISSING: { err: 'E_NOTEXIST', text: 'plugins.entry_missing' },
  SLUG_TAKEN: { err: 'E_EXISTS', text: 'plugins.slug_taken' },
  NOT_INSTALLED: { err: 'E_STATE', text: 'plugins.not_installed' },
  API_MISMATCH: { err: 'E_STATE', text: 'plugins.api_mismatch' },
  DEPENDENCY_NOT_INSTALLED: { err: 'E_STATE', text: 'plugins.dependency_not_installed' },
  DEPENDENCY_NOT_ENABLED: { err: 'E_STATE', text: 'plugins.dependency_not_enabled' },
  DEPENDENCY_VERSION: { err: 'E_STATE', text: 'plugins.dependency_version' },
  DEPENDENCY_CYCLE: { err: 'E_STATE', text: 'plugins.dependency_cycle' },
  ACTIVATION_FAILED: { err: 'E_STATE', text: 'plugins.activation_failed' },
  UPGRADE_FAILED: { err: 'E_STATE', text: 'plugins.upgrade_failed' },
  ES_MODULE: { err: 'E_STATE', text: 'plugins.es_module' },
  TOP_LEVEL_AWAIT: { err: 'E_STATE', text: 'plugins.top_level_await' },
  CODE_BROKEN: { err: 'E_STATE', text: 'plugins.code_broken' },
  NATIVE_ADDON: { err: 'E_STATE', text: 'plugins.native_addon' },
  MODULE_NOT_FOUND: { err: 'E_STATE', text: 'plugins.module_not_found' },
  DYNAMIC_IMPORT: { err: 'E_STATE', text: 'common.plugin_dynamic_import' },
  NOT_INJECTABLE: { err: 'E_STATE', text: 'plugins.not_injectable' },
  MIDDLEWARE: { err: 'E_STATE', text: 'plugins.middleware' },
  APP_PROVIDER: { err: 'E_STATE', text: 'plugins.app_provider' },
  CONTROLLER: { err: 'E_STATE', text: 'plugins.controller' },
  STEP_DATA_FIRST: { err: 'E_STATE', text: 'plugins.step_data_first' },
  STEP_WITHOUT_DOWN: { err: 'E_STATE', text: 'plugins.step_without_down' },
  STEP_REPOSITORY: { err: 'E_STATE', text: 'plugins.step_repository' },
  ENTITY_TABLE: { err: 'E_STATE', text: 'plugins.entity_table' },
  DATA_SOURCE: { err: 'E_STATE', text: 'plugins.data_source' },
  PAGE_MISSING: { err: 'E_STATE', text: 'plugins.page_missing' },
  FILES_GONE: { err: 'E_NOTEXIST', text: 'plugins.files_gone' },
  QUARANTINED: { err: 'E_STATE', text: 'plugins.quarantined' },
  SAFE_MODE: { err: 'E_STATE', text: 'plugins.safe_mode' },
  STALLED: { err: 'E_STATE', text: 'plugins.stalled' },
  ENDED_WHILE_STARTING: { err: 'E_STATE', text: 'plugins.ended_while_starting' },
  ENDED_WHILE_STALLED: { err: 'E_STATE', text: 'plugins.ended_while_stalled' },
  PERMISSION_MISSING: { err: 'E_STATE', text: 'plugins.permission_missing' },
  SERVICE_MISSING: { err: 'E_STATE', text: 'plugins.service_missing' },
  SHARED_CHANGED: { err: 'E_STATE', text: 'plugins.shared_changed' },
  STILL_NEEDED: { err: 'E_INUSE', text: 'plugins.still_needed' },
};

/**
 * A plugin cannot do what was requested; the text names the reason and the remedy. Plugins receive some of these errors themselves, so the
 * message is the English text.
 */
export class PluginError extends AppError<PluginErrorCode> {
  constructor(code: PluginErrorCode, params: TextParams = {}, fields?: Readonly<Record<string, string>>, options?: ErrorOptions) {
    super(code, params, fields, options);
    this.message = translate('en', this.shape.text, params);
  }

  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
