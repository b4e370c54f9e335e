import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Transform } from 'node:stream';

import type { DriverTurn } from '../../../../src/hosting/driver/ports/files.js';
import { FileProblem } from '../../../../src/hosting/driver/ports/files.js';
import { folderSize } from '../../../../src/hosting/embedded/folder-size.js';
import type { SiteArea } from '../../../../src/hosting/embedded/files/site-area.js';
import { isProtected } from '../../../../src/hosting/embedded/files/site-path.js';
import { readTar } from '../../../../src/hosting/embedded/files/tar-archive.js';
import { writeTar } from '../../../../src/hosting/embedded/files/tar-writing.js';
import { TreeWalk, type WalkedThing } from '../../../../src/hosting/embedded/files/tree-walk.js';
import { safeParts, UnpackedTree } from '../../../../src/hosting/embedded/files/unpacked-tree.js';
import { HostRefusal } from '../refusal.js';
import { Budget } from './budget.js';
import type { WorkContext } from './site-files.js';

/** Upper limit of entries, above what a backup contains. */
const MAX_ENTRIES = 1_000_000;
const MAX_NAMED = 20;

/** Content size and allowed space of an archive to restore, in bytes. */
export interface ArchiveContent {
  readonly content: number;
  readonly space: number;
}

/** Writes an archive of the site's public files to standard output. @returns its size, hash and counts */
export async function writeArchive(area: SiteArea, context: WorkContext): Promise<Record<string, unknown>> {
  const expected = await folderSize(area.files, context.stop);
  const walk = new TreeWalk(context.stop);
  const seen = { content: 0, unfit: 0, changed: 0, changedPaths: [] as string[] };
  const hash = createHash('sha256');
  let size = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  const output = new PassThrough();
  const sent = context.send(null, output);
  await area.use([], (folder) =>
    writeTar(
      fit(walk.everything(folder), () => (seen.unfit += 1)),
      [counted, output],
      context.stop,
      (bytes) => context.progress(Math.min((seen.content += bytes), expected), expected),
      (name) => {
        seen.changed += 1;
        if (seen.changedPaths.length < MAX_NAMED) seen.changedPaths.push(`/${name}`);
      },
    ),
  );
  await sent;
  const { content, unfit, changed, changedPaths } = seen;
  return { size, sha256: hash.digest('hex'), content, files: walk.seen - unfit, left: walk.left + unfit, changed, changedPaths };
}

/**
 * Unpacks a verified archive into a folder next to the site's files; root switches the two.
 *
 * @param archive path already opened for this process
 * @returns additional bytes used after the switch
 */
export async function unpackArchive(
  area: SiteArea,
  archive: string,
  { content, space }: ArchiveContent,
  context: WorkContext,
): Promise<Record<string, unknown>> {
  const before = await folderSize(area.files, context.stop);
  if (!(await new Budget(space).fits(Math.max(0, content - before)))) throw new FileProblem('NO_SPACE');
  const made = path.join(area.work, 'restoring');
  await fs.rm(made, { recursive: true, force: true });
  await fs.mkdir(made, { mode: 0o750 });
  let done = 0;
  const take = (bytes: number): Promise<void> => {
    done += bytes;
    context.progress(done, content);
    // The checksum matched, so more content than declared means a wrong declaration.
    return done > content
      ? Promise.reject(new HostRefusal('BACKUP_DAMAGED', 'The archive contains more data than declared.'))
      : Promise.resolve();
  };
  const quiet: DriverTurn = { id: 'restore', signal: context.stop, progress: () => undefined };
  const tree = new UnpackedTree(made, quiet, { depth: 0, entries: MAX_ENTRIES, take, keepsTimes: true });
  const handle = await fs.open(archive);
  try {
    await readTar(handle, tree, 'utf-8', context.stop);
    await keepProtected(area.files, made);
    return { space: (await folderSize(made, context.stop)) - before };
  } catch (error) {
    await fs.rm(made, { recursive: true, force: true });
    if (error instanceof FileProblem && error.code.startsWith('ARCHIVE_'))
      throw new HostRefusal('BACKUP_DAMAGED', 'The archive is damaged.');
    throw error;
  } finally {
    await handle.close();
  }
}

/** Skips entries that could not be restored. */
async function* fit(things: AsyncGenerator<WalkedThing>, leave: () => void): AsyncGenerator<WalkedThing> {
  for await (const thing of things) {
    if (isFit(thing.path)) yield thing;
    else leave();
  }
}

function isFit(name: string): boolean {
  try {
    return safeParts({ path: name, kind: 'file' }).join('/') === name;
  } catch {
    return false;
  }
}

/** Copies the protected files at the top of a site, so that a restore does not change them. */
async function keepProtected(files: string, made: string): Promise<void> {
  for (const entry of await fs.readdir(files, { withFileTypes: true }))
    if (entry.isFile() && isProtected(entry.name)) await fs.copyFile(path.join(files, entry.name), path.join(made, entry.name));
}
