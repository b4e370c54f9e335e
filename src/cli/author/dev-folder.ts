import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { AuthorError } from './author-error.js';
import type { PackageFile } from './package-files.js';
import type { Project } from './project.js';

/** Marks a folder of the panel as written from a project, and contains the project's path. */
const MARK = '.svc-plugin-dev';

/** The folder of a plugin or theme in the data folder of a panel, kept in sync with the project's package. */
export class DevFolder {
  private readonly folder: string;

  /** @throws AuthorError if the data folder does not exist, or the target folder was not written from this project */
  constructor(dataDir: string, project: Project) {
    if (!statSync(join(dataDir, 'plugins'), { throwIfNoEntry: false })?.isDirectory())
      throw new AuthorError(
        `${dataDir} is not the data folder of a panel: it has no folder "plugins". Set --data to the DATA_DIR of the panel.`,
      );
    this.folder = join(dataDir, project.type === 'plugin' ? 'plugins' : 'themes', project.slug);
    const mark = join(this.folder, MARK);
    if (existsSync(this.folder) && !(existsSync(mark) && readFileSync(mark, 'utf8') === project.folder))
      throw new AuthorError(
        `${this.folder} already exists, and does not come from ${project.folder}. ` +
          `Uninstall that ${project.type} and remove its folder, or rename this one.`,
      );
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(mark, project.folder);
  }

  /** Writes changed files and deletes those that no longer belong to the package. */
  write(files: readonly PackageFile[]): void {
    const wanted = new Set(files.map(({ path }) => path));
    for (const path of readdirSync(this.folder, { recursive: true, encoding: 'utf8' })) {
      const target = join(this.folder, path);
      if (path !== MARK && !wanted.has(path.replaceAll('\\', '/')) && statSync(target, { throwIfNoEntry: false })?.isFile()) rmSync(target);
    }
    for (const { path, content } of files) {
      const target = join(this.folder, path);
      if (existsSync(target) && readFileSync(target).equals(content)) continue;
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(`${target}.part`, content);
      renameSync(`${target}.part`, target);
    }
  }
}
