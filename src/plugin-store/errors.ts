import { AppError, type ErrorShape } from '../common/index.js';

/** Why a plugin or theme from a store could not be installed. */
export type PluginStoreErrorCode =
  | 'NO_STORE'
  | 'STORE_AWAY'
  | 'STORE_ANSWER'
  | 'KEY_CHANGED'
  | 'KEY_OTHER'
  | 'ITEM_UNKNOWN'
  | 'VERSION_UNKNOWN'
  | 'NOT_FOR_THIS_PANEL'
  | 'DIGEST_ASKED'
  | 'DIGEST'
  | 'SIGNATURE'
  | 'BLOCKED'
  | 'INSTALLED_ALREADY'
  | 'OLDER'
  | 'TAKEN'
  | 'ASKS'
  | 'AUTHOR_CHANGED'
  | 'AUTHOR_GONE'
  | 'UNFIT'
  | 'OTHER_VERSION'
  | 'NO_FILE'
  | 'UPLOAD_GONE'
  | 'PIECE'
  | 'NOT_INSTALLED'
  | 'NOT_FROM_STORE'
  | 'BETAS_UNSAID'
  | 'THEME_BETAS_UNSAID'
  | 'NOTHING_NEWER'
  | 'NOTHING_BEFORE'
  | 'NOT_STARTED'
  | 'ROLLED_BACK'
  | 'UNHEALTHY'
  | 'BUSY'
  | 'TASK_UNKNOWN';

const ERROR_MAP: Record<PluginStoreErrorCode, ErrorShape> = {
  NO_STORE: { err: 'E_STATE', text: 'pluginStore.no_store' },
  STORE_AWAY: { err: 'E_UNREACH', text: 'pluginStore.away' },
  STORE_ANSWER: { err: 'E_UNREACH', text: 'pluginStore.answer' },
  KEY_CHANGED: { err: 'E_FORBIDDEN', text: 'pluginStore.key_changed' },
  KEY_OTHER: { err: 'E_CONFLICT', text: 'pluginStore.key_other' },
  ITEM_UNKNOWN: { err: 'E_NOTEXIST', text: 'pluginStore.item_unknown' },
  VERSION_UNKNOWN: { err: 'E_NOTEXIST', text: 'pluginStore.version_unknown' },
  NOT_FOR_THIS_PANEL: { err: 'E_STATE', text: 'pluginStore.not_for_this_panel' },
  DIGEST_ASKED: { err: 'E_CONFLICT', text: 'pluginStore.digest_asked' },
  DIGEST: { err: 'E_FORBIDDEN', text: 'pluginStore.digest' },
  SIGNATURE: { err: 'E_FORBIDDEN', text: 'pluginStore.signature' },
  BLOCKED: { err: 'E_FORBIDDEN', text: 'pluginStore.blocked' },
  INSTALLED_ALREADY: { err: 'E_EXISTS', text: 'pluginStore.installed_already' },
  OLDER: { err: 'E_STATE', text: 'pluginStore.older' },
  TAKEN: { err: 'E_EXISTS', text: 'pluginStore.taken' },
  ASKS: { err: 'E_STATE', text: 'pluginStore.asks' },
  AUTHOR_CHANGED: { err: 'E_STATE', text: 'pluginStore.author_changed' },
  AUTHOR_GONE: { err: 'E_STATE', text: 'pluginStore.author_gone' },
  UNFIT: { err: 'E_ARGS', text: 'pluginStore.unfit' },
  OTHER_VERSION: { err: 'E_ARGS', text: 'pluginStore.other_version' },
  PIECE: { err: 'E_ARGS', text: 'pluginStore.piece_wrong' },
  UPLOAD_GONE: { err: 'E_NOTEXIST', text: 'pluginStore.upload_gone' },
  NO_FILE: { err: 'E_ARGS', text: 'pluginStore.no_file' },
  NOT_INSTALLED: { err: 'E_STATE', text: 'pluginStore.not_installed' },
  NOT_FROM_STORE: { err: 'E_STATE', text: 'pluginStore.not_from_store' },
  BETAS_UNSAID: { err: 'E_ARGS', text: 'pluginStore.betas_invalid' },
  THEME_BETAS_UNSAID: { err: 'E_ARGS', text: 'pluginStore.theme_betas_invalid' },
  NOTHING_NEWER: { err: 'E_STATE', text: 'pluginStore.nothing_newer' },
  NOTHING_BEFORE: { err: 'E_STATE', text: 'pluginStore.nothing_before' },
  NOT_STARTED: { err: 'E_STATE', text: 'pluginStore.not_started' },
  ROLLED_BACK: { err: 'E_STATE', text: 'pluginStore.rolled_back' },
  UNHEALTHY: { err: 'E_STATE', text: 'pluginStore.unhealthy' },
  BUSY: { err: 'E_BUSY', text: 'pluginStore.busy' },
  TASK_UNKNOWN: { err: 'E_NOTEXIST', text: 'pluginStore.task_unknown' },
};

/** A plugin was not installed, upgraded or rolled back; the text gives the reason and the remedy. */
export class PluginStoreError extends AppError<PluginStoreErrorCode> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
