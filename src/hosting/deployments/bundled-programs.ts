import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { Injectable } from '@nestjs/common';
import type yazl from 'yazl';

import { loggerFor, whenUsed } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { BundledProgram, DeployProgram } from '../entities/index.js';

import { BUNDLED_FOLDER, type BundledManifest, bundledManifests, keptWord } from './bundled-words.js';
import { DeployError } from './deploy-errors.js';
import { ProgramArchives } from './program-archives.js';
import { ProgramCatalogue, type ProgramWords } from './program-catalogue.js';
import { readForm } from './program-form.js';
import { readSteps } from './program-steps.js';

const log = loggerFor('hosting');
const zip = whenUsed<typeof yazl>('yazl');
/** Of every file in an archive: the same files are the same archive. */
const MADE_AT = new Date('2026-01-01T00:00:00Z');

/** Programs of ours in the catalogue: there from the first start, as any other from then on. */
@Injectable()
export class BundledPrograms {
  constructor(
    private readonly database: Database,
    private readonly catalogue: ProgramCatalogue,
    private readonly archives: ProgramArchives,
  ) {}

  /**
   * Puts those into the catalogue that never were there, and brings those up to date that nobody changed since. What goes wrong is
   * logged: it keeps no panel from starting.
   */
  async offer(): Promise<void> {
    for (const manifest of bundledManifests().filter(({ from }) => from === undefined))
      await this.offerOne(manifest).catch((error: unknown) =>
        log.error({ err: error, program: manifest.slug }, 'a program of ours could not be put into the catalogue'),
      );
  }

  private async offerOne(manifest: BundledManifest): Promise<void> {
    const { slug, version } = manifest;
    const present = await this.rows.findOneBy({ slug });
    if (present && present.version >= version) return;
    const words = wordsOf(manifest);
    const bytes = await archiveOf(slug);
    const digest = digestOf(words, bytes);
    if (!present) return this.add(slug, version, words, bytes, digest);
    const row = present.programId === null ? null : await this.database.repository(DeployProgram).findOneBy({ id: present.programId });
    if (row && (await this.isUnchanged(row, present))) {
      await this.catalogue.change(row.id, { form: words.form, steps: words.steps });
      await this.catalogue.exchange(row.id, await this.archives.keep(bytes));
    }
    await this.rows.update({ slug }, { version, digest });
  }

  private get rows() {
    return this.database.repository(BundledProgram);
  }

  private async add(slug: string, version: number, words: ProgramWords, bytes: Buffer, digest: string): Promise<void> {
    const archive = await this.archives.keep(bytes);
    try {
      await this.database.transaction(async () => {
        // Of two panels that start at once, one goes on.
        await this.rows.insert({ slug, version, digest, programId: null });
        const { id } = await this.catalogue.add(words, archive);
        await this.rows.update({ slug }, { programId: id });
      });
    } catch (error) {
      await this.archives.remove(archive);
      const isTaken = error instanceof DeployError && error.code === 'NAME_TAKEN';
      if (!isTaken && !isUniqueViolation(error)) throw error;
      if (isTaken) await this.rows.insert({ slug, version, digest, programId: null });
    }
  }

  /** Whether a row still is what was put there. */
  private async isUnchanged(row: DeployProgram, { digest }: BundledProgram): Promise<boolean> {
    const opened = await this.archives.open(row).catch(() => null);
    if (!opened) return false;
    try {
      return digestOf(row, await opened.handle.readFile()) === digest;
    } finally {
      await opened.handle.close();
    }
  }
}

/** What a program of ours is in the catalogue at first. */
export function wordsOf({ name, description, needs, form: fields, steps }: BundledManifest): ProgramWords {
  const form = readForm(fields.map((field) => ({ ...field, ltaler: keptWord(field.ltaler) })));
  return {
    name: keptWord(name),
    description: keptWord(description),
    price: 0,
    requiredQuotaMb: [...needs],
    doneMessage: null,
    onShelf: true,
    images: [],
    form,
    steps: readSteps(steps, form),
  };
}

const digestOf = ({ form, steps }: Pick<ProgramWords, 'form' | 'steps'>, archive: Buffer): string =>
  createHash('sha256')
    .update(JSON.stringify([form, steps]))
    .update(archive)
    .digest('hex');

async function archiveOf(slug: string): Promise<Buffer> {
  const folder = join(BUNDLED_FOLDER, slug, 'files');
  const file = new (zip().ZipFile)();
  for (const name of (await readdir(folder)).sort()) file.addBuffer(await readFile(join(folder, name)), name, { mtime: MADE_AT });
  file.end();
  return buffer(file.outputStream);
}
