import './texts.js';

import { AppError, type ErrorShape } from '../common/index.js';

/** What can stand in the way of installing, enabling or removing a plugin. */
export type PluginErrorCode =
  | 'SLUG_INVALID'
  | 'PLUGIN_NOT_FOUND'
  | 'MANIFEST_MISSING'
  | 'MANIFEST_INVALID'
  | 'ENTRY_MISSING'
  | 'SLUG_TAKEN'
  | 'NOT_INSTALLED'
  | 'API_MISMATCH'
  | 'DEPENDENCY_NOT_INSTALLED'
  | 'DEPENDENCY_NOT_ENABLED'
  | 'DEPENDENCY_VERSION'
  | 'DEPENDENCY_CYCLE'
  | 'ACTIVATION_FAILED'
  | 'STILL_NEEDED';

const SHAPES: Record<PluginErrorCode, ErrorShape> = {
  SLUG_INVALID: { err: 'E_ARGS', text: 'plugins.slug_invalid' },
  PLUGIN_NOT_FOUND: { err: 'E_NOTEXIST', text: 'plugins.not_found' },
  MANIFEST_MISSING: { err: 'E_NOTEXIST', text: 'plugins.manifest_missing' },
  MANIFEST_INVALID: { err: 'E_ARGS', text: 'plugins.manifest_invalid' },
  ENTRY_MISSING: { err: 'E_NOTEXIST', text: 'plugins.entry_missing' },
  SLUG_TAKEN: { err: 'E_EXISTS', text: 'plugins.slug_taken' },
  NOT_INSTALLED: { err: 'E_STATE', text: 'plugins.not_installed' },
  API_MISMATCH: { err: 'E_STATE', text: 'plugins.api_mismatch' },
  DEPENDENCY_NOT_INSTALLED: { err: 'E_STATE', text: 'plugins.dependency_not_installed' },
  DEPENDENCY_NOT_ENABLED: { err: 'E_STATE', text: 'plugins.dependency_not_enabled' },
  DEPENDENCY_VERSION: { err: 'E_STATE', text: 'plugins.dependency_version' },
  DEPENDENCY_CYCLE: { err: 'E_STATE', text: 'plugins.dependency_cycle' },
  ACTIVATION_FAILED: { err: 'E_STATE', text: 'plugins.activation_failed' },
  STILL_NEEDED: { err: 'E_INUSE', text: 'plugins.still_needed' },
};

/** A plugin cannot do what was asked; the text says why and what to do. */
export class PluginError extends AppError<PluginErrorCode> {
  get shape(): ErrorShape {
    return SHAPES[this.code];
  }
}
