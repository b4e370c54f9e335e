import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';

import {
  type DriverTurn,
  FileProblem,
  type FileActionResult,
  type Packing,
  type Relocation,
  type SpaceMeter,
  type Unpacking,
} from '../../driver/index.js';
import { newName, packTo, partsOf, presentName, refuseInside, spend, splitPath, unpackTo } from '../../embedded/index.js';

import type { LocalCopies } from './local-copy.js';
import type { PanelDisk } from './panel-disk.js';
import type { RemoteSite } from './remote-site.js';
import { removeFromArea } from './trash.js';
import { place } from './writing.js';

/** Long-running work on the files of a site: the result is built next to them and moved into place once it is complete. */
export class PanelFileActions {
  constructor(
    private readonly disk: PanelDisk,
    private readonly copies: LocalCopies,
  ) {}

  async copy(site: RemoteSite, wanted: Relocation, meter: SpaceMeter, turn: DriverTurn): Promise<FileActionResult> {
    const [from, to] = [partsOf(wanted.from), partsOf(wanted.to)];
    const names = wanted.names.map(presentName);
    const isSame = from.join('/') === to.join('/');
    for (const name of names) refuseInside([...from, name], to, name);
    if (!isSame) for (const name of names) await site.requireFree(to, name);
    const job = await this.begin(site, turn, meter);
    const passed = { left: 0 };
    let done = 0;
    return this.spending(site, job, meter, async (purse) => {
      for await (const { parts, entry } of site.walk(from, names, passed)) {
        const at = [job, ...parts.slice(from.length), entry.name].join('/');
        await purse.take(entry.size);
        const { node } = site.place;
        if (entry.type === 'folder') await this.disk.makeFolder(node, at, site.signal);
        else await this.disk.copy(node, site.at([...parts, entry.name]), at, site.signal);
        turn.progress((done += 1), 0);
      }
      const made = (await this.disk.folder(site.place.node, job, site.signal))?.entries ?? [];
      for (const { name } of made) {
        const free = isSame ? await site.freeName(to, name) : name;
        if (!isSame) await site.requireFree(to, name);
        await place(this.disk, site, `${job}/${name}`, site.at([...to, free]));
      }
      return { value: { done, left: passed.left }, freed: 0 };
    });
  }

  async pack(site: RemoteSite, { folder, names, archive }: Packing, meter: SpaceMeter, turn: DriverTurn): Promise<FileActionResult> {
    const { parts, name } = splitPath(archive);
    await site.requireFree(parts, newName(name));
    const from = partsOf(folder);
    return this.copies.with(this.disk, async (copy) => {
      const passed = { left: 0 };
      await mkdir(join(copy.area.files, 'in'));
      for await (const found of site.walk(from, names.map(presentName), passed))
        await copy.get(site, found, ['in', ...found.parts.slice(from.length)]);
      const there = await readdir(join(copy.area.files, 'in'));
      const made = await packTo(copy.area, { folder: '/in', names: there, archive: `/${name}` }, copy.spaceFor(null), turn);
      const local = join(copy.area.files, name);
      await spend(meter, async (purse) => {
        await purse.take((await stat(local)).size);
        const { area } = site.place;
        await copy.putFile(site, local, `${area}/work/job-${turn.id}`, name);
        await place(this.disk, site, `${area}/work/job-${turn.id}/${name}`, site.at([...parts, name]));
        return { value: undefined, freed: 0 };
      });
      return { done: made.done, left: made.left + passed.left };
    });
  }

  async unpack(site: RemoteSite, { archive, folder, encoding }: Unpacking, meter: SpaceMeter, turn: DriverTurn): Promise<FileActionResult> {
    const { parts, name } = splitPath(archive);
    const { size } = await site.file(parts, presentName(name));
    const to = partsOf(folder);
    await site.folder(to);
    const job = await this.begin(site, turn, meter);
    return this.copies.with(this.disk, async (copy) => {
      await copy.getFile(site, site.at([...parts, name]), join(copy.area.files, name), size);
      const out = join(copy.area.files, 'out');
      await mkdir(out);
      // The extracted files are counted once, when they are uploaded.
      const made = await unpackTo(copy.area, { archive: `/${name}`, folder: '/out', encoding }, copy.spaceFor(meter), turn);
      await this.spending(site, job, meter, async (purse) => {
        await purse.take(await this.checkedSize(site, out, to, ''));
        await copy.put(site, out, job, () => turn.progress(0, 0));
        return { value: undefined, freed: await this.merge(site, out, job, to) };
      });
      return made;
    });
  }

  /** Removes what an interrupted attempt left. */
  private async begin(site: RemoteSite, turn: DriverTurn, meter: SpaceMeter): Promise<string> {
    const name = `job-${turn.id}`;
    if ((await site.areaEntries('work')).some((entry) => entry.name === name))
      await removeFromArea(this.disk, site, `work/${name}`, true, meter);
    return `${site.place.area}/work/${name}`;
  }

  private async spending<T>(site: RemoteSite, job: string, meter: SpaceMeter, work: Parameters<typeof spend<T>>[1]): Promise<T> {
    try {
      return await spend(meter, work);
    } finally {
      await this.disk.remove(site.place.node, job, true, AbortSignal.timeout(10_000)).catch(() => undefined);
    }
  }

  /** Returns the bytes of a local tree and checks that it can be merged into a remote folder. @throws FileProblem TAKEN, NAME */
  private async checkedSize(site: RemoteSite, from: string, to: readonly string[], shown: string): Promise<number> {
    let bytes = 0;
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const present = await this.present(site, to, entry.name);
      const name = `${shown}${entry.name}`;
      if (present && present !== (entry.isDirectory() ? 'folder' : 'file')) throw new FileProblem('TAKEN', { name });
      if (entry.isDirectory()) bytes += await this.checkedSize(site, join(from, entry.name), [...to, entry.name], `${name}/`);
      else bytes += (await stat(join(from, entry.name))).size;
    }
    return bytes;
  }

  /** If the folder does not exist, neither does the entry. */
  private async present(site: RemoteSite, parts: readonly string[], name: string): Promise<string | null> {
    site.at([...parts, name]);
    try {
      return (await site.find(parts, name))?.type ?? null;
    } catch (error) {
      if (error instanceof FileProblem && error.code === 'MISSING') return null;
      throw error;
    }
  }

  /** Merges a tree into a folder, one step per entry. @returns bytes of the replaced files */
  private async merge(site: RemoteSite, from: string, job: string, to: readonly string[]): Promise<number> {
    let freed = 0;
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const present = await site.find(to, entry.name);
      const at = `${job}/${entry.name}`;
      if (present?.type === 'folder') freed += await this.merge(site, join(from, entry.name), at, [...to, entry.name]);
      else {
        await site.change((node) => this.disk.move(node, at, site.at([...to, entry.name]), site.signal));
        freed += present?.size ?? 0;
      }
    }
    return freed;
  }
}
