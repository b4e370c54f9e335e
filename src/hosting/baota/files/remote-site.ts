import { FileProblem, type DriverNode } from '../../driver/index.js';
import { isProtected } from '../../embedded/index.js';
import { isSafeName } from '../sites/index.js';

import type { PanelDisk, PanelFolder } from './panel-disk.js';
import type { PanelEntry } from './panel-entry.js';

/** Location of a site's files on its server. */
export interface SitePlace {
  readonly node: DriverNode;
  /** Folder of the site, below `root`. */
  readonly path: string;
  /** Folder of all sites. */
  readonly root: string;
  /** Folder for data of the site that visitors cannot reach. */
  readonly area: string;
}

/**
 * The files of one site during one call. A path is used only after each of its parts, from the folder of all sites on, was found to be a
 * folder and not a link. The panel's API has no handles: a process that can write to the site's folder at that very moment could still
 * replace a checked part.
 */
export class RemoteSite {
  private readonly seen = new Map<string, PanelFolder | null>();

  constructor(
    private readonly disk: PanelDisk,
    readonly place: SitePlace,
    readonly signal: AbortSignal,
  ) {}

  /** Returns the absolute path of parts below the web root. @throws FileProblem NAME */
  at(parts: readonly string[]): string {
    for (const part of parts) if (!isSafeName(part)) throw new FileProblem('NAME', { name: part });
    return [this.place.path, ...parts].join('/');
  }

  /** Lists a folder without protected files. @throws FileProblem NAME, MISSING, NOT_FOLDER, SPECIAL */
  async folder(parts: readonly string[]): Promise<PanelFolder> {
    const { root, path } = this.place;
    let at = root;
    for (const name of [...path.slice(root.length + 1).split('/'), ...parts]) {
      if (!isSafeName(name)) throw new FileProblem('NAME', { name });
      const entry = (await this.listed(at))?.entries.find((one) => one.name === name);
      if (!entry) throw new FileProblem('MISSING', { name });
      if (entry.type === 'other') throw new FileProblem('SPECIAL', { name });
      if (entry.type === 'file') throw new FileProblem('NOT_FOLDER', { name });
      at = `${at}/${name}`;
    }
    const found = await this.listed(at);
    if (!found) throw new FileProblem('MISSING', { name: parts.at(-1) ?? '/' });
    return { entries: found.entries.filter(({ name }) => !isProtected(name)), cut: found.cut };
  }

  /** Finds an entry of a folder by name; null if none exists. @throws as {@link folder} */
  async find(parts: readonly string[], name: string): Promise<PanelEntry | null> {
    if (!isSafeName(name)) throw new FileProblem('NAME', { name });
    const { entries, cut } = await this.folder(parts);
    const entry = entries.find((one) => one.name === name);
    if (!entry && cut) throw new FileProblem('TOO_MANY');
    return entry ?? null;
  }

  /** @throws FileProblem MISSING, SPECIAL, NOT_FILE, and as {@link folder} */
  async file(parts: readonly string[], name: string): Promise<PanelEntry> {
    const entry = await this.find(parts, name);
    if (!entry) throw new FileProblem('MISSING', { name });
    if (entry.type === 'other') throw new FileProblem('SPECIAL', { name });
    if (entry.type === 'folder') throw new FileProblem('NOT_FILE', { name });
    return entry;
  }

  /** @throws FileProblem TAKEN */
  async requireFree(parts: readonly string[], name: string): Promise<void> {
    if ((await this.find(parts, name)) !== null) throw new FileProblem('TAKEN', { name });
  }

  /** Creates the missing folders of a path. @throws as {@link folder} */
  async makeFolders(parts: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const above = parts.slice(0, depth - 1);
      const entry = await this.find(above, parts[depth - 1]!);
      if (entry?.type === 'file' || entry?.type === 'other') throw new FileProblem('NOT_FOLDER', { name: entry.name });
      if (!entry) await this.change((node) => this.disk.makeFolder(node, this.at(parts.slice(0, depth)), this.signal));
    }
  }

  /** Returns an unused name in a folder: the wanted one, or `name-2.ext`, because the server does not accept brackets. */
  async freeName(parts: readonly string[], wanted: string): Promise<string> {
    const dot = wanted.lastIndexOf('.');
    const [stem, end] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ''];
    const taken = new Set((await this.folder(parts)).entries.map(({ name }) => name));
    for (let n = 1; n < 1_000; n += 1) {
      const name = n === 1 ? wanted : `${stem}-${n}${end}`;
      if (!taken.has(name)) return name;
    }
    throw new FileProblem('TAKEN', { name: wanted });
  }

  /** Lists a folder next to the site's files; empty if it does not exist. @param name `work` or `trash` */
  async areaEntries(name: 'work' | 'trash'): Promise<readonly PanelEntry[]> {
    return (await this.disk.folder(this.place.node, `${this.place.area}/${name}`, this.signal))?.entries ?? [];
  }

  /** Walks the named entries and everything below them; a folder comes before its content. Links are counted and skipped. */
  async *walk(
    parts: readonly string[],
    names: readonly string[] | null,
    passed: { left: number },
  ): AsyncGenerator<{ parts: string[]; entry: PanelEntry }> {
    this.signal.throwIfAborted();
    const { entries, cut } = await this.folder(parts);
    if (cut) throw new FileProblem('TOO_MANY');
    for (const name of names ?? []) if (!entries.some((entry) => entry.name === name)) throw new FileProblem('MISSING', { name });
    for (const entry of entries) {
      if (names && !names.includes(entry.name)) continue;
      if (entry.type === 'other') passed.left += 1;
      else yield { parts: [...parts], entry };
      if (entry.type === 'folder') yield* this.walk([...parts, entry.name], null, passed);
    }
  }

  /** Changes something on the server and clears the cached listings. */
  async change<T>(work: (node: DriverNode) => Promise<T>): Promise<T> {
    try {
      return await work(this.place.node);
    } finally {
      this.seen.clear();
    }
  }

  private async listed(path: string): Promise<PanelFolder | null> {
    const present = this.seen.get(path);
    if (present !== undefined) return present;
    const found = await this.disk.folder(this.place.node, path, this.signal);
    this.seen.set(path, found);
    return found;
  }
}
