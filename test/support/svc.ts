import { runCommand } from '../../src/cli/commands/run-command.js';

import type { TestPlace } from './database.js';

/** What a command of `svc` answered. */
export interface SvcAnswer {
  readonly code: number;
  readonly text: string;
}

/** Variables of a place, as the service of a panel has them. */
export function environmentOf(place: TestPlace, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, PORT: '0', SITES_PORT: '0', CAPTCHA: 'off', ...env };
}

/** Runs `svc …` against a place. @param given what stands on standard input, and whether questions are answered with yes */
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
