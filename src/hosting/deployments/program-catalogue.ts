import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock, toYuan } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { checkVersion, type FormValues } from '../../http/index.js';
import { Job } from '../../jobs/index.js';
import { DeployProgram, Deployment, ProgramPurchase } from '../entities/index.js';

import { DeployError } from './deploy-errors.js';
import { type KeptArchive, ProgramArchives } from './program-archives.js';
import { ProgramPictures } from './program-pictures.js';

/** Description of a program in the catalogue. */
export type ProgramDescription = Pick<
  DeployProgram,
  'name' | 'description' | 'price' | 'requiredQuotaMb' | 'doneMessage' | 'onShelf' | 'form' | 'steps' | 'images'
>;

/** Maximum size of a form, or a list of steps, as JSON in bytes. */
const MAX_BYTES = 60_000;

/** Fields of a program in the operation log. Form and steps are only summarized, because a single text may be a whole file. */
const loggedFields = ({ name, description, price, requiredQuotaMb, doneMessage, onShelf, form, steps, images }: ProgramDescription) => ({
  name,
  description,
  price: toYuan(price),
  requiredQuotaMb: requiredQuotaMb.join(' / '),
  doneMessage,
  onShelf,
  form: form.map((field) => (field as { blx: string }).blx).join(', '),
  steps: steps.map((step) => (step as { cz: string }).cz).join(', '),
  images: images.length,
});

/** Values of a program's form, for its row version; for the archive only whether it is the same. */
export function programForm(program: ProgramDescription & Pick<DeployProgram, 'archivePath'>) {
  const [web, database] = program.requiredQuotaMb;
  return {
    cxname: program.name,
    cxrmb: toYuan(program.price),
    cxjc: program.description ?? '',
    src: program.images.join(','),
    webkj: web,
    sqlkj: database,
    bdf: JSON.stringify(program.form),
    czf: JSON.stringify(program.steps),
    alerts: program.doneMessage ?? '',
    cxkg: program.onShelf,
    filecx: { secret: program.archivePath },
  } satisfies FormValues;
}

/** Rejects an archive if another one was stored since the form was loaded. @throws StaleForm */
export function checkArchive(version: string | undefined, present: DeployProgram): void {
  checkVersion(version, programForm(present), ['filecx']);
}

/** The catalogue of programs. */
@Injectable()
export class ProgramCatalogue {
  constructor(
    private readonly database: Database,
    private readonly archives: ProgramArchives,
    private readonly pictures: ProgramPictures,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(DeployProgram);
  }

  /** Returns a page in the order of the catalogue. @param onShelf only those that are offered */
  list(skip: number, take: number, onShelf = false): Promise<[DeployProgram[], number]> {
    return this.rows.findAndCount({ where: onShelf ? { onShelf } : {}, order: { position: 'ASC', id: 'ASC' }, skip, take });
  }

  /** @throws DeployError PROGRAM_MISSING */
  async find(id: number): Promise<DeployProgram> {
    const program = await this.rows.findOneBy({ id });
    if (!program) throw new DeployError('PROGRAM_MISSING');
    return program;
  }

  /** @throws DeployError NAME_TAKEN, TOO_LONG */
  async add(words: ProgramDescription, archive: KeptArchive | null): Promise<DeployProgram> {
    checkLengths(words);
    const last = await this.rows.findOne({ where: {}, order: { position: 'DESC' } });
    const kept = archive ?? { archivePath: '', archiveSize: 0, hasPhp: false };
    const row = this.rows.create({
      ...words,
      ...kept,
      buyers: [],
      position: (last?.position ?? 0) + 1,
      createdAt: this.clock.now(),
    });
    await this.rows.insert(row).catch(rethrowTaken);
    this.database.noteChange({ of: 'program', id: row.id }, null, loggedFields(words));
    return row;
  }

  /**
   * Changes a program, and its archive if one is given.
   *
   * @param version of the form in which it was edited
   * @throws DeployError PROGRAM_MISSING, NAME_TAKEN, TOO_LONG; StaleForm
   */
  change(id: number, given: Partial<ProgramDescription>, version?: string, archive: KeptArchive | null = null): Promise<DeployProgram> {
    return this.withLock(id, async (present) => {
      checkVersion(version, programForm(present));
      const next = { ...present, ...given };
      checkLengths(next);
      if (Object.keys(given).length > 0) await this.rows.update({ id }, given).catch(rethrowTaken);
      this.database.noteChange({ of: 'program', id, only: Object.keys(given) }, loggedFields(present), loggedFields(next));
      if (archive) await this.putArchive(present, archive);
      return { ...next, ...archive };
    });
  }

  /**
   * Replaces the archive of a program. A running installation continues with the previous one.
   *
   * @param version of the form in which it was chosen: only the archive is compared
   * @throws DeployError PROGRAM_MISSING; StaleForm
   */
  exchange(id: number, archive: KeptArchive, version?: string): Promise<DeployProgram> {
    return this.withLock(id, async (present) => {
      checkArchive(version, present);
      await this.putArchive(present, archive);
      return { ...present, ...archive };
    });
  }

  /** Runs `work` with the program's row locked. @throws DeployError PROGRAM_MISSING */
  private withLock<Result>(id: number, work: (present: DeployProgram) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async () => {
      await this.database.lockRow('DeployProgram', 'id', id);
      return work(await this.find(id));
    });
  }

  private async putArchive({ id, name, archiveSize }: DeployProgram, archive: KeptArchive): Promise<void> {
    await this.rows.update({ id }, archive);
    this.database.noteChange({ of: 'program', id, only: ['archiveSize'] }, { name, archiveSize }, archive);
  }

  /**
   * Deletes programs and their archives; hosts keep what is installed.
   *
   * @returns the deleted programs @throws DeployError PROGRAM_BUSY
   */
  async remove(ids: readonly number[]): Promise<DeployProgram[]> {
    const present = await this.rows.findBy({ id: In([...ids]) });
    for (const { id, name } of present)
      if (await this.database.repository(Deployment).existsBy({ programId: id, state: 'installing' }))
        throw new DeployError('PROGRAM_BUSY', { name });
    await this.rows.delete({ id: In(present.map(({ id }) => id)) });
    for (const program of present) {
      this.database.noteChange({ of: 'program', id: program.id }, loggedFields(program), null);
      await this.archives.remove(program);
    }
    return present;
  }

  /** Sets the order of the catalogue; programs not named come last. */
  async sort(ids: readonly number[]): Promise<void> {
    await this.database.transaction(async () => {
      const rows = await this.rows.find({ select: { id: true, position: true }, order: { position: 'ASC', id: 'ASC' } });
      const known = new Set(rows.map(({ id }) => id));
      const named = ids.filter((id) => known.has(id));
      const wanted = [...named, ...rows.map(({ id }) => id).filter((id) => !named.includes(id))];
      for (const [index, id] of wanted.entries()) await this.rows.update({ id }, { position: index + 1 });
    });
  }

  /** Whether a site may install a program: it is free, or was paid for. */
  async has(accountId: number, { id: programId, price }: Pick<DeployProgram, 'id' | 'price'>): Promise<boolean> {
    return price === 0 || this.isBought(accountId, programId);
  }

  /** Whether a site's owner has paid for a program. */
  isBought(accountId: number, programId: number): Promise<boolean> {
    return this.database.repository(ProgramPurchase).existsBy({ accountId, programId });
  }

  /** Returns the programs a site's owner has paid for. */
  async boughtBy(accountId: number): Promise<ReadonlySet<number>> {
    const rows = await this.database.repository(ProgramPurchase).findBy({ accountId });
    return new Set(rows.map(({ programId }) => programId));
  }

  /**
   * Gives a site a program that was paid for. Idempotent.
   *
   * @returns the order that paid for it: an earlier one if the site had it already; null if it was imported
   * @throws DeployError PROGRAM_MISSING
   */
  async give(account: { readonly id: number; readonly username: string }, programId: number, orderId: number): Promise<number | null> {
    const rows = this.database.repository(ProgramPurchase);
    await this.find(programId);
    return this.database.transaction(async () => {
      // Orders paid at the same time run one after another.
      await this.database.lockRow('DeployProgram', 'id', programId);
      const present = await rows.findOneBy({ accountId: account.id, programId });
      if (present) return present.orderId;
      await rows.insert({ accountId: account.id, programId, orderId, createdAt: this.clock.now() });
      await this.noteUse(programId, account.username);
      return orderId;
    });
  }

  /** Adds a user to the list of those who bought or installed the program; joins the caller's transaction if there is one. */
  async noteUse(programId: number, username: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.lockRow('DeployProgram', 'id', programId);
      const program = await this.rows.findOneBy({ id: programId });
      if (!program || program.buyers.includes(username)) return;
      const buyers = [...program.buyers, username];
      // The column holds 64 KB, so the oldest names are dropped.
      while (Buffer.byteLength(JSON.stringify(buyers)) > MAX_BYTES) buyers.shift();
      await this.rows.update({ id: programId }, { buyers });
    });
  }

  /** Deletes unused archives and pictures, and abandoned uploads. @returns how many files were removed */
  @Job({ name: 'program-archives', everyMinutes: 720 })
  async clear(): Promise<number> {
    const named = await this.rows.find({ select: { id: true, images: true } });
    const pictures = await this.pictures.sweep(new Set(named.flatMap(({ images }) => images)));
    return pictures + (await this.archives.sweep((archivePath) => this.rows.existsBy({ archivePath }), this.clock.now().getTime()));
  }
}

function checkLengths({ form, steps, description, doneMessage }: ProgramDescription): void {
  const longest = Math.max(
    ...[JSON.stringify(form), JSON.stringify(steps), description ?? '', doneMessage ?? ''].map((text) => Buffer.byteLength(text)),
  );
  if (longest > MAX_BYTES) throw new DeployError('TOO_LONG', { n: MAX_BYTES });
}

function rethrowTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new DeployError('NAME_TAKEN', {}, { cxname: 'deploy.name_taken' }) : error;
}
