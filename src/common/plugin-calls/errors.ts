import { AppError, type ErrorShape, type TextRef } from '../errors.js';
import { sayWords } from '../words.js';

/** Why a call into a plugin failed. */
export type PluginCallErrorCode = 'PLUGIN_TIMEOUT' | 'PLUGIN_PAUSED';

const ERROR_MAP: Record<PluginCallErrorCode, ErrorShape> = {
  PLUGIN_TIMEOUT: { err: 'E_BUSY', text: 'common.plugin_timeout', status: 504 },
  PLUGIN_PAUSED: { err: 'E_BUSY', text: 'common.plugin_paused', status: 503 },
};

/**
 * A plugin's callback missed its deadline, or is paused because that happened repeatedly (`seconds` is the remaining pause).
 * The message is for the log and the plugin list, which name plugin and place themselves.
 */
export class PluginCallError extends AppError<PluginCallErrorCode> {
  constructor(code: PluginCallErrorCode, params: { plugin: string; place: string; limit?: number; seconds?: number }) {
    super(code, params);
    this.message = sayWords('en', this.told);
  }

  override get told(): TextRef {
    return { key: this.code === 'PLUGIN_TIMEOUT' ? 'common.plugin_no_answer' : 'common.plugin_not_asked', params: this.params };
  }

  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}

/** Thrown by a plugin's code to end a request with a response of its own; not an error, and not counted as one. */
export abstract class AnsweredByThrowing extends Error {}

/**
 * Returns whether a circuit breaker rejected the call. Such calls never reached the plugin, the cause was already reported, and there may
 * be many.
 */
export function isRefusedCall(error: unknown): boolean {
  return error instanceof PluginCallError && error.code === 'PLUGIN_PAUSED';
}
