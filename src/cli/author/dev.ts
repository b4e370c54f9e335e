import { resolve } from 'node:path';

import { readArguments } from './arguments.js';
import { AuthorError } from './author-error.js';
import { buildProject } from './build.js';
import { DevFolder } from './dev-folder.js';
import { developed, type Developed } from './developed.js';
import { packageFiles } from './package-files.js';
import { LocalPanelClient } from './local-panel-client.js';
import { readProject, type Project } from './project.js';
import type { AuthorCommand, Terminal } from './terminal.js';
import { watchProject } from './watch-project.js';

/** Delay before a rebuild, because editors write a file in several steps. */
const DEBOUNCE_MS = 30;
/** How often the panel is polled for new errors. */
const POLL_MS = 2_000;

/** `svc-plugin dev`. */
export const dev: AuthorCommand = {
  usage: '--data DIR [--panel URL]',
  summary: 'builds after every change and reloads it in the local panel with the DATA_DIR DIR, using the API key in SVC_PANEL_KEY',
  async run(args, terminal) {
    const { values } = readArguments(args, { data: { type: 'string' }, panel: { type: 'string' } }, 0);
    const project = readProject(terminal.folder);
    if (values.data === undefined) throw new AuthorError('Name the data folder of the panel: --data /path/to/data');
    const key = terminal.env.SVC_PANEL_KEY ?? '';
    const { needs } = developed(project.type);
    if (key === '') throw new AuthorError(`Set SVC_PANEL_KEY to an API key of the panel (Access → API keys) that may run ${needs}.`);
    const panel = new LocalPanelClient(values.panel ?? 'http://127.0.0.1:3000', key, needs);
    const session = new DevSession(project, panel, new DevFolder(resolve(terminal.folder, values.data), project), terminal);
    await session.run();
    return 0;
  },
};

/** One run of `dev`, from start to interruption. */
class DevSession {
  private shownError = '';
  private readonly kind: Developed;

  constructor(
    private readonly project: Project,
    private readonly panel: LocalPanelClient,
    private readonly folder: DevFolder,
    private readonly terminal: Terminal,
  ) {
    this.kind = developed(project.type);
  }

  async run(): Promise<void> {
    const { folder, main, source, type, manifestFile, scripts } = this.project;
    const { stop = new AbortController().signal } = this.terminal;
    let changed = true;
    let wake = (): void => undefined;
    const built = type === 'theme' ? [manifestFile] : [main, `${main}.map`, ...scripts.map((script) => script.built)];
    const end = watchProject(folder, source === null ? [] : built, () => {
      changed = true;
      wake();
    });
    stop.addEventListener('abort', () => wake(), { once: true });
    try {
      while (!stop.aborted) {
        if (changed) {
          await wait(DEBOUNCE_MS);
          changed = false;
          await this.reload();
        } else await this.checkProblem();
        let timer: NodeJS.Timeout | undefined;
        const woken = new Promise<void>((done) => {
          wake = done;
          timer = setTimeout(done, POLL_MS);
        });
        if (!changed && !stop.aborted) await woken;
        clearTimeout(timer);
      }
    } finally {
      end();
    }
  }

  /** Rebuilds and reloads. Errors are shown, and the next change triggers another attempt. */
  private async reload(): Promise<void> {
    const since = performance.now();
    const { slug, manifestFile } = this.project;
    try {
      const project = await buildProject({ ...this.terminal, say: () => undefined });
      if (project.slug !== slug)
        throw new AuthorError(`The name in ${manifestFile} changed to "${project.slug}". Start svc-plugin dev again.`);
      this.folder.write(packageFiles(project));
      await this.kind.reload(this.panel, slug);
      this.shownError = '';
      this.terminal.say(
        `${slug} ${project.version} ${this.kind.runs}, after ${Math.round(performance.now() - since)} ms. Waiting for changes …`,
      );
      if (this.kind.isCheckedAfterReload) await this.checkProblem();
    } catch (error) {
      // A file may disappear while it is read: editors write a file in several steps.
      if (!(error instanceof AuthorError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
      this.terminal.warn((error as Error).message);
    }
  }

  /** Reports errors that occurred since the last reload. */
  private async checkProblem(): Promise<void> {
    const error = await this.kind.problem(this.panel, this.project.slug).catch(() => '');
    if (error !== '' && error !== this.shownError) this.terminal.warn(error);
    this.shownError = error;
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
