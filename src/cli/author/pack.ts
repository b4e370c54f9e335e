import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

import { readArguments } from './arguments.js';
import { AuthorKeys } from './author-keys.js';
import { buildProject, size } from './build.js';
import { digestOf, packageFiles, type PackageFile } from './package-files.js';
import type { Project } from './project.js';
import type { AuthorCommand, Terminal } from './terminal.js';

/** `svc-plugin pack`. */
export const pack: AuthorCommand = {
  usage: '',
  summary: 'builds, and writes the package for the store, NAME-VERSION.zip, next to the manifest',
  async run(args, terminal) {
    readArguments(args, {}, 0);
    const project = await buildProject(terminal);
    const { files, signer } = signedFiles(project, terminal);
    const zip = await zipOf(project, files);
    const name = zipName(project);
    writeFileSync(join(project.folder, `${name}.part`), zip);
    renameSync(join(project.folder, `${name}.part`), join(project.folder, name));
    for (const { path, content } of files) terminal.say(`  ${path}  ${size(content.length)}`);
    terminal.say(`Packed ${name}: ${size(zip.length)}, ${files.length} files, SHA-256 ${digestOf(zip)}`);
    terminal.say(signer === '' ? NOT_SIGNED : `Signed with your key ${signer}.`);
    return 0;
  },
};

/** Message for an author without a key. */
export const NOT_SIGNED = 'Not signed. Create a key with svc-plugin keys create, so that panels can verify that packages are yours.';

/** Returns the files of a package, signed if its author has a key. @returns `signer` is the id of the key; empty if unsigned */
export function signedFiles(project: Project, terminal: Terminal): { files: PackageFile[]; signer: string } {
  const keys = AuthorKeys.read(terminal);
  const files = packageFiles(project);
  return keys ? { files: keys.signed(project, files), signer: keys.keyId } : { files, signer: '' };
}

/** File name of a project's package. */
export function zipName({ slug, version }: Project): string {
  return `${slug}-${version}.zip`;
}

/** All files get the same timestamp, so that packages are reproducible: the earliest that ZIP supports, in the local time zone. */
const TIME = new Date(1980, 0, 1);

/** Creates a ZIP with one folder, named after the project. The same files produce the same bytes. */
export function zipOf({ slug }: Project, files: readonly PackageFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { path, content } of files)
    zip.addBuffer(content, `${slug}/${path}`, { mtime: TIME, mode: 0o100644, compressionLevel: 9, forceDosTimestamp: true });
  zip.end();
  return buffer(zip.outputStream);
}
