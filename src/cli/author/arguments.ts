import { parseArgs, type ParseArgsConfig } from 'node:util';

import { closestNames } from '../../common/closest-names.js';

import { AuthorError } from './author-error.js';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses the options and positional arguments of a command line.
 *
 * @param maxPositionals maximum number of positional arguments
 * @throws AuthorError if an option is unknown or lacks its value, or there are more arguments
 */
export function readArguments<T extends Options>(args: readonly string[], options: T, maxPositionals: number) {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const unknown = /^Unknown option '([^']*)'/.exec((error as Error).message)?.[1];
    if (unknown === undefined) throw new AuthorError((error as Error).message.split('\n')[0]!.replace(/\.? .*To specify.*/, '.'));
    const known = Object.keys(options).map((name) => `--${name}`);
    const [meant = ''] = closestNames(unknown, known, 1);
    const help = meant ? `Did you mean ${meant}?` : known.length > 0 ? `Options: ${known.join(', ')}.` : 'This command has no options.';
    throw new AuthorError(`There is no option ${unknown}. ${help}`);
  }
  const extra = parsed.positionals[maxPositionals];
  if (extra !== undefined) throw new AuthorError(`Unexpected argument "${extra}".`);
  return parsed;
}
