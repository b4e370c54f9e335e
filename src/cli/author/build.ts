import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readArguments } from './arguments.js';
import { AuthorError } from './author-error.js';
import { buildCode } from './build-code.js';
import { writeThemeRecord } from './build-theme.js';
import { readProject, type Project } from './project.js';
import type { AuthorCommand, Terminal } from './terminal.js';

/** `svc-plugin build`. */
export const build: AuthorCommand = {
  usage: '',
  summary: 'bundles src/index.ts (or .js) into the file plugin.json names, with source map and licences, and browser/*.ts into assets/',
  async run(args, terminal) {
    readArguments(args, {}, 0);
    await buildProject(terminal);
    return 0;
  },
};

/**
 * Builds the project in a folder; one without sources is used unchanged.
 *
 * @throws AuthorError if the build fails, or a plugin has neither sources nor the file its manifest names
 */
export async function buildProject(terminal: Terminal): Promise<Project> {
  const project = readProject(terminal.folder);
  const { type, source, main, folder } = project;
  if (type === 'theme') {
    if (source !== null) await writeThemeRecord(project);
    terminal.say(source === null ? 'A theme without src/theme.ts has nothing to build.' : `Wrote theme.json from ${source}.`);
    return readProject(folder);
  }
  if (source === null) {
    if (!existsSync(join(folder, main)))
      throw new AuthorError(`Nothing to build: src/index.ts, src/index.js and ${main} (named in plugin.json) do not exist.`);
    terminal.say(`Using ${main} as it is: there is no src/index.ts or src/index.js.`);
    return project;
  }
  const { files, packages, warnings, milliseconds } = await buildCode(project);
  for (const line of warnings) terminal.warn(line);
  const built = files.map((file) => `${file.path} (${size(file.bytes)})`).join(', ');
  terminal.say(`Built ${built} in ${milliseconds} ms${packages.length > 0 ? `, with ${packages.join(', ')}` : ''}.`);
  return project;
}

/** Formats a number of bytes for display. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
