import { isDynamicImportError, wordsOf } from '../../common/index.js';

import { PluginError } from '../errors.js';

/** Maximum length of an error's message in the plugin list, in characters. */
const MAX_REASON = 300;

/** Returns why a plugin did not start, as a text for the plugin list. */
export function activationProblem(error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  const options = { cause: error };
  if (isDynamicImportError(error)) return new PluginError('DYNAMIC_IMPORT', {}, undefined, options);
  const words = wordsOf(error);
  const reason = typeof words === 'string' ? words.slice(0, MAX_REASON) : words;
  return new PluginError('ACTIVATION_FAILED', { reason }, undefined, options);
}
