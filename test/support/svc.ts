import { runCommand } from '../../src/cli/commands/run-command.js';

import type { TestPlace } from './database.js';

/** Result of a `svc` command. */
export interface SvcAnswer {
  readonly code: number;
  readonly text: string;
}

/** Returns the environment variables of a place, as the service of a panel has them. */
export function environmentOf(place: TestPlace, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, PORT: '0', SITES_PORT: '0', CAPTCHA: 'off', ...env };
}

/**
 * Runs `svc …` on a place.
 *
 * @param given standard input, and whether confirmations are answered with yes
 */
export async function svc(
  place: TestPlace,
  args: readonly string[],
  given: { readonly input?: string; readonly yes?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<SvcAnswer> {
  const lines: string[] = [];
  const code = await runCommand(args, {
    env: environmentOf(place, given.env),
    print: (line) => void lines.push(line),
    confirm: (question) => {
      lines.push(question);
      return Promise.resolve(given.yes ?? false);
    },
    readInput: () => Promise.resolve(given.input ?? ''),
  });
  return { code, text: lines.join('\n') };
}
