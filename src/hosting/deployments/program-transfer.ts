import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import type yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import type yazl from 'yazl';

import { toFen, toYuan, whenUsed, type Words } from '../../common/index.js';
import { IMAGE_LIMITS } from '../../images/index.js';
import type { DeployProgram } from '../entities/index.js';

import { DeployError } from './deploy-errors.js';
import { type KeptArchive, ProgramArchives } from './program-archives.js';
import { ProgramCatalogue, type ProgramDescription } from './program-catalogue.js';
import { itemsOf, readForm, textOf } from './program-form.js';
import { MAX_PICTURES, ProgramPictures } from './program-pictures.js';
import { checkMessage, readSteps } from './program-steps.js';

const reader = whenUsed<typeof yauzl>('yauzl');
const writer = whenUsed<typeof yazl>('yazl');
/** Index file of an export. */
const INDEX = 'programs.json';
/** Maximum number of programs per export, and maximum size of the index in bytes. */
const MAX_PROGRAMS = 200;
const MAX_INDEX_BYTES = 16 * 1_048_576;

/** Result of an import. */
export interface ImportedPrograms {
  readonly added: readonly string[];
  readonly refused: readonly { readonly name: string; readonly why: Words }[];
}

/** Exports and imports programs of a catalogue as one ZIP file: `programs.json`, and archive and pictures of each. */
@Injectable()
export class ProgramTransfer {
  constructor(
    private readonly catalogue: ProgramCatalogue,
    private readonly archives: ProgramArchives,
    private readonly pictures: ProgramPictures,
  ) {}

  /** @param ids empty for all @throws DeployError PROGRAM_MISSING */
  async pack(ids: readonly number[]): Promise<{ size: number; content: Readable }> {
    const [rows] = await this.catalogue.list(0, MAX_PROGRAMS);
    const chosen = ids.length === 0 ? rows : rows.filter(({ id }) => ids.includes(id));
    if (chosen.length === 0) throw new DeployError('PROGRAM_MISSING');
    const file = new (writer().ZipFile)();
    const contents = [];
    for (const [index, program] of chosen.entries()) {
      const path = await this.archives.pathTo(program);
      const archive = path === null ? '' : `archives/${index + 1}.zip`;
      if (path !== null) file.addFile(path, archive, { compress: false });
      const src: string[] = [];
      for (const address of program.images) {
        const picture = await this.pictures.pathTo(address);
        if (picture === null) continue;
        src.push(`pictures/${index + 1}-${src.length + 1}${extname(picture)}`);
        file.addFile(picture, src.at(-1)!, { compress: false });
      }
      contents.push({ ...about(program), src, archive });
    }
    file.addBuffer(Buffer.from(JSON.stringify(contents, null, 2)), INDEX, { compress: false });
    // The size of uncompressed content is known beforehand. The types of yazl require the options of `end`.
    const end = file.end.bind(file) as unknown as (options: object, whenKnown: (size: number) => void) => void;
    return new Promise((resolve) => end({}, (size) => resolve({ size, content: file.outputStream as Readable })));
  }

  /**
   * Imports exported programs; those that are invalid, or whose name is taken, are reported and skipped.
   *
   * @param from an upload, which is deleted afterwards @param onShelf whether they are offered
   * @throws DeployError ARCHIVE_BROKEN
   */
  async unpack(from: KeptArchive, onShelf: boolean): Promise<ImportedPrograms> {
    const path = await this.archives.pathTo(from);
    if (path === null) throw new DeployError('ARCHIVE_MISSING');
    const handle = await open(path, 'r');
    try {
      const zip = await reader().fromFdPromise(handle.fd, { lazyEntries: true, autoClose: false, decodeStrings: false });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toString(), entry);
      const added: string[] = [];
      const refused: { name: string; why: Words }[] = [];
      for (const item of await this.indexOf(zip, entries)) {
        const name = (textOf(item.name) ?? '').trim().slice(0, 190);
        try {
          await this.add(item, name, onShelf, zip, entries);
          added.push(name);
        } catch (error) {
          if (!(error instanceof DeployError)) throw error;
          refused.push({ name, why: error.told });
        }
      }
      return { added, refused };
    } finally {
      await handle.close();
      await this.archives.remove(from);
    }
  }

  private async indexOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Record<string, unknown>[]> {
    const index = entries.get(INDEX);
    const broken = new DeployError('ARCHIVE_BROKEN', {}, { file: 'deploy.archive_broken' });
    if (!index || index.compressedSize > MAX_INDEX_BYTES) throw broken;
    const items = itemsOf((await buffer(await zip.openReadStreamPromise(index))).toString());
    if (!items || items.length > MAX_PROGRAMS) throw broken;
    return items.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null);
  }

  private async add(
    item: Record<string, unknown>,
    name: string,
    onShelf: boolean,
    zip: ZipFile,
    entries: ReadonlyMap<string, Entry>,
  ): Promise<void> {
    if (name === '') throw new DeployError('NAME_EMPTY');
    const words = descriptionIn(item, name);
    const entry = entries.get(textOf(item.archive) ?? '');
    const archive = entry ? await this.archives.keepFrom(await zip.openReadStreamPromise(entry)) : null;
    try {
      const images = await this.pictures.add(await picturesOf(item, zip, entries));
      await this.catalogue.add({ ...words, images, onShelf: onShelf && archive !== null }, archive);
    } catch (error) {
      if (archive) await this.archives.remove(archive);
      throw error;
    }
  }
}

/** Returns the pictures of a program in an export; none if it names none. @throws DeployError PICTURE */
async function picturesOf({ src }: Record<string, unknown>, zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Buffer[]> {
  const named = (itemsOf(src) ?? []).flatMap((path) => entries.get(textOf(path) ?? '') ?? []).slice(0, MAX_PICTURES);
  const large = named.some(({ uncompressedSize }) => uncompressedSize > IMAGE_LIMITS.bytes);
  if (large) throw new DeployError('PICTURE', { why: { key: 'images.too_large' } });
  const pictures: Buffer[] = [];
  for (const entry of named) pictures.push(await buffer(await zip.openReadStreamPromise(entry)));
  return pictures;
}

/** Properties of an exported program, named like the table's columns. */
const about = ({ name, description, price, requiredQuotaMb, form, steps, doneMessage }: DeployProgram) => ({
  ...{ name, jc: description ?? '', jg: toYuan(price), sxpz: requiredQuotaMb },
  ...{ inp: form, pz: steps, alet: doneMessage ?? '' },
});

/** @throws DeployError as for user input */
function descriptionIn(item: Record<string, unknown>, name: string): Omit<ProgramDescription, 'onShelf' | 'images'> {
  const text = (key: string): string => textOf(item[key]) ?? '';
  const form = readForm(item.inp);
  const steps = readSteps(item.pz, form);
  checkMessage(text('alet'), form);
  const [web = 0, database = 0] = (itemsOf(item.sxpz) ?? []).map((megabytes) => Math.max(0, Math.floor(Number(megabytes)) || 0));
  return {
    name,
    description: text('jc') || null,
    price: toFen(text('jg') || '0') ?? 0,
    requiredQuotaMb: [web, database],
    doneMessage: text('alet') || null,
    form,
    steps,
  };
}
