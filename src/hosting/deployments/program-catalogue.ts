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
export type ProgramWords = Pick<
  DeployProgram,
  'name' | 'description' | 'price' | 'requiredQuotaMb' | 'doneMessage' | 'onShelf' | 'form' | 'steps' | 'images'
>;

/** Longest form, and longest list of steps, as JSON, in bytes. */
const LONGEST = 60_000;

/** What the operation log tells of a program: form and steps by how many there are, since one text may be a whole file. */
const told = ({ name, description, price, requiredQuotaMb, doneMessage, onShelf, form, steps, images }: ProgramWords) => ({
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

/** Values of a program's form, for its row version; of the archive only whether it is the same. */
export function programForm(program: ProgramWords & Pick<DeployProgram, 'archivePath'>) {
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

/** Refuses an archive that was chosen while the program had another one. @throws StaleForm */
export function checkArchive(version: string | undefined, present: DeployProgram): void {
  checkVersion(version, programForm(present), ['filecx']);
}

/** The programs there are. */
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

  /** In the order of the catalogue, some of them. @param onShelf only those that are offered */
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
  async add(words: ProgramWords, archive: KeptArchive | null): Promise<DeployProgram> {
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
    await this.rows.insert(row).catch(taken);
    this.database.noteChange({ of: 'program', id: row.id }, null, told(words));
    return row;
  }

  /**
   * Says something else of a program, and gives it another archive where there is one.
   *
   * @param version of the form it was typed into
   * @throws DeployError PROGRAM_MISSING, NAME_TAKEN, TOO_LONG; StaleForm
   */
  change(id: number, given: Partial<ProgramWords>, version?: string, archive: KeptArchive | null = null): Promise<DeployProgram> {
    return this.holding(id, async (present) => {
      checkVersion(version, programForm(present));
      const next = { ...present, ...given };
      checkLengths(next);
      if (Object.keys(given).length > 0) await this.rows.update({ id }, given).catch(taken);
      this.database.noteChange({ of: 'program', id, only: Object.keys(given) }, told(present), told(next));
      if (archive) await this.putArchive(present, archive);
      return { ...next, ...archive };
    });
  }

  /**
   * Gives a program another archive. What is being installed with the one before goes on with it.
   *
   * @param version of the form beside which it was chosen: only the archive is compared
   * @throws DeployError PROGRAM_MISSING; StaleForm
   */
  exchange(id: number, archive: KeptArchive, version?: string): Promise<DeployProgram> {
    return this.holding(id, async (present) => {
      checkArchive(version, present);
      await this.putArchive(present, archive);
      return { ...present, ...archive };
    });
  }

  /** What `work` does with a program that nobody else changes meanwhile. @throws DeployError PROGRAM_MISSING */
  private holding<Result>(id: number, work: (present: DeployProgram) => Promise<Result>): Promise<Result> {
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
   * Takes some away, their archives with them; hosts that have them installed keep them.
   *
   * @returns which there were @throws DeployError PROGRAM_BUSY
   */
  async remove(ids: readonly number[]): Promise<DeployProgram[]> {
    const present = await this.rows.findBy({ id: In([...ids]) });
    for (const { id, name } of present)
      if (await this.database.repository(Deployment).existsBy({ programId: id, state: 'installing' }))
        throw new DeployError('PROGRAM_BUSY', { name });
    await this.rows.delete({ id: In(present.map(({ id }) => id)) });
    for (const program of present) {
      this.database.noteChange({ of: 'program', id: program.id }, told(program), null);
      await this.archives.remove(program);
    }
    return present;
  }

  /** Makes this the order of the catalogue; those that are not named come behind. */
  async sort(ids: readonly number[]): Promise<void> {
    await this.database.transaction(async () => {
      const rows = await this.rows.find({ select: { id: true, position: true }, order: { position: 'ASC', id: 'ASC' } });
      const known = new Set(rows.map(({ id }) => id));
      const named = ids.filter((id) => known.has(id));
      const wanted = [...named, ...rows.map(({ id }) => id).filter((id) => !named.includes(id))];
      for (const [index, id] of wanted.entries()) await this.rows.update({ id }, { position: index + 1 });
    });
  }

  /** Whether a site has a program: it costs nothing, or was paid for. */
  async has(accountId: number, { id: programId, price }: Pick<DeployProgram, 'id' | 'price'>): Promise<boolean> {
    return price === 0 || this.isBought(accountId, programId);
  }

  /** Whether a site's owner has paid for a program. */
  isBought(accountId: number, programId: number): Promise<boolean> {
    return this.database.repository(ProgramPurchase).existsBy({ accountId, programId });
  }

  /** The programs a site's owner has paid for. */
  async boughtBy(accountId: number): Promise<ReadonlySet<number>> {
    const rows = await this.database.repository(ProgramPurchase).findBy({ accountId });
    return new Set(rows.map(({ programId }) => programId));
  }

  /**
   * Gives a site a program that was paid for, once however often it is told.
   *
   * @returns the order that paid for it: another one where the site had it already; null: it was taken over
   * @throws DeployError PROGRAM_MISSING
   */
  async give(account: { readonly id: number; readonly username: string }, programId: number, orderId: number): Promise<number | null> {
    const rows = this.database.repository(ProgramPurchase);
    await this.find(programId);
    return this.database.transaction(async () => {
      // Two orders that are paid at once come one after the other.
      await this.database.lockRow('DeployProgram', 'id', programId);
      const present = await rows.findOneBy({ accountId: account.id, programId });
      if (present) return present.orderId;
      await rows.insert({ accountId: account.id, programId, orderId, createdAt: this.clock.now() });
      await this.noteUse(programId, account.username);
      return orderId;
    });
  }

  /** Adds a user to those the row says have bought or installed it; in the caller's transaction where there is one. */
  async noteUse(programId: number, username: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.lockRow('DeployProgram', 'id', programId);
      const program = await this.rows.findOneBy({ id: programId });
      if (!program || program.buyers.includes(username)) return;
      const buyers = [...program.buyers, username];
      // The column holds 64 KB: the oldest names go where there are more.
      while (Buffer.byteLength(JSON.stringify(buyers)) > LONGEST) buyers.shift();
      await this.rows.update({ id: programId }, { buyers });
    });
  }

  /** Archives and pictures no program has any more, and uploads nobody goes on with. @returns how many files were removed */
  @Job({ name: 'program-archives', everyMinutes: 720 })
  async clear(): Promise<number> {
    const named = await this.rows.find({ select: { id: true, images: true } });
    const pictures = await this.pictures.sweep(new Set(named.flatMap(({ images }) => images)));
    return pictures + (await this.archives.sweep((archivePath) => this.rows.existsBy({ archivePath }), this.clock.now().getTime()));
  }
}

function checkLengths({ form, steps, description, doneMessage }: ProgramWords): void {
  const longest = Math.max(
    ...[JSON.stringify(form), JSON.stringify(steps), description ?? '', doneMessage ?? ''].map((text) => Buffer.byteLength(text)),
  );
  if (longest > LONGEST) throw new DeployError('TOO_LONG', { n: LONGEST });
}

function taken(error: unknown): never {
  throw isUniqueViolation(error) ? new DeployError('NAME_TAKEN', {}, { cxname: 'deploy.name_taken' }) : error;
}
