import { createHash } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

import { readArguments } from './arguments.js';
import { buildProject, size } from './build.js';
import { packageFiles, type PackageFile } from './package-files.js';
import type { Project } from './project.js';
import type { AuthorCommand } from './terminal.js';

/** `svc-plugin pack`. */
export const pack: AuthorCommand = {
  usage: '',
  summary: 'builds, and writes NAME-VERSION.zip beside the manifest, as the store takes it',
  async run(args, terminal) {
    readArguments(args, {}, 0);
    const project = await buildProject(terminal);
    const files = packageFiles(project);
    const zip = await zipOf(project, files);
    const name = zipName(project);
    writeFileSync(join(project.folder, `${name}.part`), zip);
    renameSync(join(project.folder, `${name}.part`), join(project.folder, name));
    for (const { path, content } of files) terminal.say(`  ${path}  ${size(content.length)}`);
    terminal.say(`Packed ${name}: ${size(zip.length)}, ${files.length} files, SHA-256 ${createHash('sha256').update(zip).digest('hex')}`);
    return 0;
  },
};

/** What the package of a project is called. */
export function zipName({ slug, version }: Project): string {
  return `${slug}-${version}.zip`;
}

/** Every file has the same time, whenever and wherever it is packed: the oldest a ZIP can tell, in the zone of whoever reads it. */
const TIME = new Date(1980, 0, 1);

/** A ZIP with one folder, named as the project. The same files make the same bytes. */
export function zipOf({ slug }: Project, files: readonly PackageFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, content } of files)
    zip.addBuffer(content, `${slug}/${path}`, { mtime: TIME, mode: 0o100644, compressionLevel: 9, forceDosTimestamp: true });
  zip.end();
  return buffer(zip.outputStream);
}
