import { closestNames } from '../../common/closest-names.js';
import { outliveClosedOutput } from '../../common/closed-output.js';

import { AuthorError } from './author-error.js';
import { build } from './build.js';
import { check } from './check.js';
import { create } from './create.js';
import { dev } from './dev.js';
import { keys } from './keys.js';
import { pack } from './pack.js';
import { publish } from './publish.js';
import { test } from './test.js';
import type { AuthorCommand, Terminal } from './terminal.js';

/** Commands in the order an author needs them. */
const COMMANDS: Readonly<Record<string, AuthorCommand>> = { create, dev, test, build, check, keys, pack, publish };

/** The terminal of this process. Commands that run until interrupted stop when its output is closed. */
function processTerminal(): Terminal {
  const closed = new AbortController();
  outliveClosedOutput(() => closed.abort());
  return {
    folder: process.cwd(),
    env: process.env,
    say: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
    stop: closed.signal,
  };
}

/**
 * Runs one command line of `svc-plugin`.
 *
 * @returns the exit code: 0; 1 if something must be fixed; 2 if the command line is invalid
 */
export async function runCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.say(help());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const [meant = ''] = closestNames(name, Object.keys(COMMANDS), 1);
    terminal.warn(`There is no command "${name}".${meant ? ` Did you mean ${meant}?` : ''}\n\n${help()}`);
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.say(`svc-plugin ${`${name} ${command.usage}`.trim()}\n\n${command.summary}`);
    return 0;
  }
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    if (!(error instanceof AuthorError)) throw error;
    terminal.warn(error.message);
    return 1;
  }
}

function help(): string {
  const lines = Object.entries(COMMANDS).map(([name, { usage, summary }]) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`);
  return `svc-plugin: creates, tests and publishes plugins and themes of SVC Panel\n\n${lines.join('\n')}`;
}
