import { keyIdOf } from '../../packaging/index.js';

import { readArguments } from './arguments.js';
import { AuthorError } from './author-error.js';
import { AuthorKeys } from './author-keys.js';
import type { AuthorCommand, Terminal } from './terminal.js';

/** `svc-plugin keys`. */
export const keys: AuthorCommand = {
  usage: '[create | renew]',
  summary: 'shows the key that signs your packages, creates it, or replaces it with a new key that the current one certifies',
  run(args, terminal) {
    const { positionals } = readArguments(args, {}, 1);
    const action = positionals[0] ?? 'show';
    if (action === 'create') return showKeys(create(terminal), terminal);
    if (action === 'renew') return showKeys(requireKeys(terminal).renew(), terminal);
    if (action === 'show') return showKeys(requireKeys(terminal), terminal);
    throw new AuthorError(`Unknown action "${action}". Use: keys, keys create, keys renew`);
  },
};

function create(terminal: Terminal): AuthorKeys {
  const made = AuthorKeys.create(terminal);
  terminal.say(
    'Your key was created. pack and publish sign with it from now on, and panels warn if a later version is not signed by you. ' +
      'Keep a copy of the file in a safe place: a lost key cannot be recovered.',
  );
  return made;
}

function requireKeys(terminal: Terminal): AuthorKeys {
  const found = AuthorKeys.read(terminal);
  if (!found) throw new AuthorError(`There is no key yet (${AuthorKeys.pathFor(terminal)}). Create one: svc-plugin keys create`);
  return found;
}

function showKeys(authorKeys: AuthorKeys, terminal: Terminal): Promise<number> {
  terminal.say(`File  ${authorKeys.path}`);
  for (const [at, { public_key, since }] of authorKeys.keys.entries()) {
    const isLast = at === authorKeys.keys.length - 1;
    terminal.say(`Key   ${keyIdOf(public_key)}  since ${since.slice(0, 10)}${isLast ? ', signs packages' : ', certifies the next key'}`);
  }
  terminal.say(authorKeys.keys.at(-1)!.public_key.trim());
  return Promise.resolve(0);
}
