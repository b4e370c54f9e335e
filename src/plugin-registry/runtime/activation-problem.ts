import { isDynamicImportError, wordsOf } from '../../common/index.js';

import { PluginError } from '../errors.js';

/** Characters of an error's own words that the plugin list shows. */
const MAX_REASON = 300;

/** Why a plugin did not start, in words for whoever reads the plugin list. */
export function activationProblem(error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  const options = { cause: error };
  if (isDynamicImportError(error)) return new PluginError('DYNAMIC_IMPORT', {}, undefined, options);
  const words = wordsOf(error);
  const reason = typeof words === 'string' ? words.slice(0, MAX_REASON) : words;
  return new PluginError('ACTIVATION_FAILED', { reason }, undefined, options);
}
