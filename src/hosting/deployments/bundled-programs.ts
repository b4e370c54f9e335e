import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { Injectable } from '@nestjs/common';
import type yazl from 'yazl';

import { loggerFor, whenUsed } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { BundledProgram, DeployProgram } from '../entities/index.js';

import { BUNDLED_FOLDER, type BundledManifest, bundledManifests, defaultText } from './bundled-words.js';
import { DeployError } from './deploy-errors.js';
import { ProgramArchives } from './program-archives.js';
import { ProgramCatalogue, type ProgramDescription } from './program-catalogue.js';
import { readForm } from './program-form.js';
import { readSteps } from './program-steps.js';

const log = loggerFor('hosting');
const zip = whenUsed<typeof yazl>('yazl');
/** Fixed time of all files in an archive, so that the same files make the same archive. */
const MADE_AT = new Date('2026-01-01T00:00:00Z');

/** Bundled programs: added to the catalogue at the first start, ordinary entries from then on. */
@Injectable()
export class BundledPrograms {
  constructor(
    private readonly database: Database,
    private readonly catalogue: ProgramCatalogue,
    private readonly archives: ProgramArchives,
  ) {}

  /**
   * Adds bundled programs that were never in the catalogue, and updates those that were not changed. Errors are logged, so that they do not
   * keep the panel from starting.
   */
  async offer(): Promise<void> {
    for (const manifest of bundledManifests().filter(({ from }) => from === undefined))
      await this.offerOne(manifest).catch((error: unknown) =>
        log.error({ err: error, program: manifest.slug }, 'a bundled program could not be added to the catalogue'),
      );
  }

  private async offerOne(manifest: BundledManifest): Promise<void> {
    const { slug, version } = manifest;
    const present = await this.rows.findOneBy({ slug });
    if (present && present.version >= version) return;
    const words = descriptionOf(manifest);
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

  private async add(slug: string, version: number, words: ProgramDescription, bytes: Buffer, digest: string): Promise<void> {
    const archive = await this.archives.keep(bytes);
    try {
      await this.database.transaction(async () => {
        // If two panels start at the same time, only one insert succeeds.
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

  /** Returns whether a row is still as it was added. */
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

/** Returns the initial catalogue entry of a bundled program. */
export function descriptionOf({ name, description, needs, form: fields, steps }: BundledManifest): ProgramDescription {
  const form = readForm(fields.map((field) => ({ ...field, ltaler: defaultText(field.ltaler) })));
  return {
    name: defaultText(name),
    description: defaultText(description),
    price: 0,
    requiredQuotaMb: [...needs],
    doneMessage: null,
    onShelf: true,
    images: [],
    form,
    steps: readSteps(steps, form),
  };
}

const digestOf = ({ form, steps }: Pick<ProgramDescription, 'form' | 'steps'>, archive: Buffer): string =>
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
