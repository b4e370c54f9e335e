import { parseArgs } from 'node:util';

import { errorMessage } from '../../common/index.js';
import { ConfigurationError } from '../../config/index.js';
import { API_VERSION } from '../../sdk/index.js';

import { ADMIN_COMMANDS } from './admin.js';
import { backup } from './backup.js';
import { type Command, CommandError, type Options, type Terminal } from './command.js';
import { doctor } from './doctor.js';
import { importCommand } from './import.js';
import { migrate } from './migrate.js';
import { PLUGIN_COMMANDS } from './plugin.js';
import { restore } from './restore.js';
import { renewSecretKey } from './secret-key.js';

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  doctor,
  backup,
  restore,
  importCommand,
  migrate,
  ...ADMIN_COMMANDS,
  ...PLUGIN_COMMANDS,
  renewSecretKey,
];

/**
 * Runs a `svc` command.
 *
 * @param args arguments after `svc`
 * @returns exit code: 0 success, 1 rejected or failed, 2 usage error
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first = 'help'] = args;
  if (first === '--version' || first === '-v') return print(terminal, [API_VERSION], 0);
  if (first === 'help' || first === '--help' || first === '-h') return help(terminal, args.slice(1).join(' '));
  const command = COMMANDS.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '));
  if (!command) return print(terminal, [`There is no command "${args.slice(0, 2).join(' ')}".`, '', ...overview()], 2);
  const rest = args.slice(command.name.split(' ').length);
  if (rest.includes('--help') || rest.includes('-h')) return help(terminal, command.name);
  const parsedArgs = parsed(command, rest);
  if (typeof parsedArgs === 'string') return print(terminal, [parsedArgs, `Usage: svc ${command.name} ${command.usage}`.trimEnd()], 2);
  try {
    return await command.run(terminal, parsedArgs.words, parsedArgs.options);
  } catch (error) {
    if (error instanceof CommandError || error instanceof ConfigurationError) return print(terminal, [error.message], 1);
    return print(terminal, [`svc ${command.name} failed: ${errorMessage(error)}`], 1);
  }
}

/** Parses the arguments; returns an error message if they are invalid. */
function parsed(command: Command, args: readonly string[]): { words: readonly string[]; options: Options } | string {
  const { min, max } = command.positionals;
  try {
    const { positionals, values } = parseArgs({ args: [...args], options: command.options, allowPositionals: true, strict: true });
    if (positionals.length < min) return `svc ${command.name} needs more arguments.`;
    if (positionals.length > max) return `svc ${command.name} takes no argument "${positionals[max]}".`;
    return { words: positionals, options: values as Options };
  } catch (error) {
    return errorMessage(error);
  }
}

function help(terminal: Terminal, name: string): number {
  if (name === '') return print(terminal, overview(), 0);
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) {
    const group = COMMANDS.filter((one) => one.name.startsWith(`${name} `));
    return group.length > 0 ? print(terminal, lines(group), 0) : print(terminal, [`There is no command "${name}".`, '', ...overview()], 2);
  }
  return print(terminal, [`svc ${command.name} ${command.usage}`.trimEnd(), '', command.summary, ...command.details], 0);
}

function overview(): string[] {
  return [
    `svc ${API_VERSION}: manages an installation of the panel. It reads the same environment variables as the panel ` +
      '(DATA_DIR, DATABASE_URL …).',
    '',
    ...lines(COMMANDS),
    '',
    'svc help <command> shows the details of a command.',
  ];
}

function lines(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(({ name, usage }) => name.length + usage.length + 1));
  return commands.map(({ name, usage, summary }) => `  svc ${`${name} ${usage}`.padEnd(width)}  ${summary}`);
}

function print(terminal: Terminal, text: readonly string[], code: number): number {
  for (const line of text) terminal.print(line);
  return code;
}
