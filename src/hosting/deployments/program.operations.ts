import { Injectable } from '@nestjs/common';

import { localeOf, translate } from '../../common/index.js';
import { checkVersion, nextVersion, toErrorResponse, versionOf } from '../../http/index.js';
import { ListReply, Operation, RawReply, readIdList, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { DeployProgram } from '../entities/index.js';

import { DeployError } from './deploy-errors.js';
import { ProgramArchives, type KeptArchive } from './program-archives.js';
import { checkArchive, ProgramCatalogue, programForm } from './program-catalogue.js';
import {
  AddProgramInput,
  ArchivePieceInput,
  ChangeProgramInput,
  ProgramInput,
  ProgramListInput,
  ProgramPlanInput,
  ProgramsInput,
  ProgramSwitchInput,
} from './program-inputs.js';
import { readForm } from './program-form.js';
import { ProgramPictures } from './program-pictures.js';
import { programLine, ProgramRows } from './program-rows.js';
import { checkMessage, readSteps } from './program-steps.js';

/** Defaults of a new program. */
const EMPTY_PLAN = { form: [], steps: [], doneMessage: null };

/** The catalogue of programs, for administrators. Source: docs/panel-api.md "Programs". */
@Injectable()
export class ProgramOperations {
  constructor(
    private readonly catalogue: ProgramCatalogue,
    private readonly archives: ProgramArchives,
    private readonly pictures: ProgramPictures,
    private readonly rows: ProgramRows,
  ) {}

  @Operation({ side: 'admin', gn: 'listbs', auth: 'admin', input: ProgramListInput, audit: null, rate: 'read' })
  async list({ page, limit }: ProgramListInput, ctx: CallContext): Promise<ListReply<object>> {
    const [rows, total] = await this.catalogue.list((page - 1) * limit, limit);
    return new ListReply(
      total,
      rows.map((row) => this.rows.of(row, localeOf(ctx.locale))),
    );
  }

  @Operation({ side: 'admin', gn: 'bssj', auth: 'admin', input: ProgramInput, audit: null, rate: 'read' })
  async show({ id }: ProgramInput, ctx: CallContext): Promise<SuccessReply> {
    const program = await this.catalogue.find(id);
    return new SuccessReply('deploy.read', {
      ...this.rows.of(program, localeOf(ctx.locale)),
      row_version: versionOf(programForm(program)),
    });
  }

  /** Adds a program. It is offered only once it has an archive. */
  @Operation({ side: 'admin', gn: 'cxtj', auth: 'admin', input: AddProgramInput, audit: 'deploy.audit_added', rate: 'expensive' })
  async add(input: AddProgramInput, ctx: CallContext): Promise<RawReply> {
    const locale = localeOf(ctx.locale);
    try {
      if (input.cxname === '') throw new DeployError('NAME_EMPTY', {}, { cxname: 'deploy.name_empty' });
      const words = {
        name: input.cxname,
        description: input.cxjs || null,
        price: input.cxrmb ?? 0,
        requiredQuotaMb: [input.cxwebkj ?? 0, input.cxsqlkj ?? 0] as [number, number],
        doneMessage: input.alerts ?? null,
        ...given(input, EMPTY_PLAN),
        images: await this.pictures.keep(ctx.files, 0),
      };
      const archive = await this.archiveOf(input.url, ctx);
      const program = await this.withArchive(archive, () =>
        this.catalogue.add({ ...words, onShelf: input.kg && archive !== null }, archive),
      );
      const msg = translate(locale, 'deploy.added');
      return new RawReply(
        { success: true, qk: 1, code: 200, msg, id: program.id, redirect: `/admin/program?id=${program.id}` },
        {},
        programLine(program),
      );
    } catch (error) {
      // Clients of this operation check the number. Source: spec ajax.md 7.
      if (error instanceof DeployError) return new RawReply({ ...refusal(error, ctx), code: 100 });
      throw error;
    }
  }

  /** @throws StaleForm */
  @Operation({ side: 'admin', gn: 'cxxgjl', auth: 'admin', input: ChangeProgramInput, audit: 'deploy.audit_changed', rate: 'expensive' })
  async change(input: ChangeProgramInput, ctx: CallContext): Promise<SuccessReply> {
    const present = await this.catalogue.find(input.id);
    // Checked before anything is downloaded or stored, and again with the row locked.
    checkVersion(input.row_version, programForm(present));
    if (input.cxname === '') throw new DeployError('NAME_EMPTY', {}, { cxname: 'deploy.name_empty' });
    const [web, sql] = present.requiredQuotaMb;
    const plan = given(input, present);
    const kept = keptOf(input.src, present.images);
    const images = [...kept, ...(await this.pictures.keep(ctx.files, kept.length))];
    const archive = await this.archiveOf(input.url, ctx);
    const changed = {
      ...(input.cxname === undefined ? {} : { name: input.cxname }),
      ...(input.cxjc === undefined ? {} : { description: input.cxjc || null }),
      ...(input.cxrmb === undefined ? {} : { price: input.cxrmb }),
      ...(input.webkj === undefined && input.sqlkj === undefined
        ? {}
        : { requiredQuotaMb: [input.webkj ?? web, input.sqlkj ?? sql] as [number, number] }),
      ...(input.alerts === undefined ? {} : { doneMessage: input.alerts }),
      ...(input.cxkg === undefined ? {} : { onShelf: offered(present, archive, input.cxkg) }),
      ...(images.join() === present.images.join() ? {} : { images }),
      ...plan,
    };
    const program = await this.withArchive(archive, () => this.catalogue.change(input.id, changed, input.row_version, archive));
    const extras = { id: program.id, ...nextVersion(input.row_version, programForm(program)) };
    return new SuccessReply('deploy.changed', extras, programLine(program));
  }

  /** Offers a program, or withdraws it. */
  @Operation({ side: 'admin', gn: 'cxkg', auth: 'admin', input: ProgramSwitchInput, audit: 'deploy.audit_switched', rate: 'write' })
  async switch({ id, kg }: ProgramSwitchInput): Promise<SuccessReply> {
    const program = await this.catalogue.change(id, { onShelf: offered(await this.catalogue.find(id), null, kg) });
    const state = { key: kg ? 'deploy.on' : 'deploy.off' };
    return new SuccessReply(state.key, {}, { ...programLine(program), state });
  }

  /** Sets the order of the catalogue. */
  @Operation({ side: 'admin', gn: 'cxpx', auth: 'admin', input: ProgramsInput, audit: 'deploy.audit_sorted', rate: 'write' })
  async sort({ idsz }: ProgramsInput): Promise<SuccessReply> {
    const { ids } = readIdList(idsz);
    await this.catalogue.sort(ids);
    return new SuccessReply('deploy.sorted', {}, { n: ids.length });
  }

  @Operation({ side: 'admin', gn: 'cxsc', auth: 'admin', input: ProgramInput, audit: 'deploy.audit_removed', rate: 'write' })
  async remove({ id }: ProgramInput): Promise<SuccessReply> {
    const [program] = await this.catalogue.remove([id]);
    if (!program) throw new DeployError('PROGRAM_MISSING');
    return new SuccessReply('deploy.removed', {}, programLine(program));
  }

  @Operation({ side: 'admin', gn: 'cxscxz', auth: 'admin', input: ProgramsInput, audit: 'deploy.audit_removed', rate: 'write' })
  async removeMany({ idsz }: ProgramsInput): Promise<SuccessReply> {
    const { ids, invalid } = readIdList(idsz);
    const removed = await this.catalogue.remove(ids);
    const [code, codr] = [removed.length, ids.length + invalid.length - removed.length];
    return new SuccessReply('deploy.removed_many', { n: code, codr }, { n: code, name: removed.map(({ name }) => name).join(', ') });
  }

  /** Validates form and steps; changes nothing. */
  @Operation({ side: 'admin', gn: 'cxjy', auth: 'admin', input: ProgramPlanInput, audit: null, rate: 'read' })
  check(input: ProgramPlanInput): SuccessReply {
    const { form, steps } = given(input, EMPTY_PLAN);
    return new SuccessReply('deploy.checked', { fields: form.length, steps: steps.length }, { fields: form.length, n: steps.length });
  }

  /** Accepts a chunk of an archive that is too large for one request; the last one replaces the program's archive. @throws StaleForm */
  @Operation({ side: 'admin', gn: 'cxwj', auth: 'admin', input: ArchivePieceInput, audit: 'deploy.audit_archive', rate: 'write' })
  async piece({ id, fesw, zsize, row_version }: ArchivePieceInput, ctx: CallContext): Promise<RawReply> {
    const program = await this.catalogue.find(id);
    checkArchive(row_version, program);
    const [file] = ctx.files;
    // Keeps uploads of different administrators and files apart.
    const upload = `${id}a${ctx.admin!.id}s${zsize}`;
    try {
      const taken = await this.archives.piece(upload, fesw, zsize, file?.buffer ?? Buffer.alloc(0));
      if (typeof taken === 'number') return new RawReply({ success: true, qk: 1, error: 0, size: taken }, {}, programLine(program));
      await this.withArchive(taken, () => this.catalogue.exchange(id, taken, row_version));
      const msg = translate(localeOf(ctx.locale), 'deploy.archive_taken');
      return new RawReply({ success: true, qk: 1, error: 1, size: 1, msg, code: msg }, {}, programLine(program));
    } catch (error) {
      if (!(error instanceof DeployError)) throw error;
      return new RawReply({ ...refusal(error, ctx), error: 1, size: 4 });
    }
  }

  /** Deletes the archive if the program is rejected. */
  private async withArchive(archive: KeptArchive | null, work: () => Promise<DeployProgram>): Promise<DeployProgram> {
    return work().catch(async (error: unknown) => {
      if (archive) await this.archives.remove(archive);
      throw error;
    });
  }

  /** Returns the uploaded or downloaded archive; null for none. */
  private async archiveOf(url: string, ctx: CallContext): Promise<KeptArchive | null> {
    const file = ctx.files.find(({ fieldname, size }) => fieldname === 'filecx' && size > 0);
    if (file) return this.archives.keep(file.buffer);
    return url === '' ? null : this.archives.fetch(url);
  }
}

/** Returns form and steps of an input; missing ones keep their values, and all are validated together. */
function given(
  { bdf, czf, alerts }: ProgramPlanInput,
  present: Pick<DeployProgram, 'form' | 'steps' | 'doneMessage'>,
): Pick<DeployProgram, 'form' | 'steps'> {
  if (bdf === undefined && czf === undefined && alerts === undefined) return { form: present.form, steps: present.steps };
  const form = readForm(bdf ?? present.form);
  const steps = readSteps(czf ?? present.steps, form);
  checkMessage(alerts ?? present.doneMessage ?? '', form);
  return { form, steps };
}

/** Returns the pictures to keep, given as URLs separated by commas; all of them if not given. */
function keptOf(src: string | undefined, images: readonly string[]): string[] {
  const named = src?.split(',').map((address) => address.trim());
  return images.filter((address) => named?.includes(address) ?? true);
}

/** Returns whether the program is offered. @throws DeployError ARCHIVE_MISSING when there is nothing to install */
function offered({ archivePath }: DeployProgram, archive: KeptArchive | null, wanted: boolean): boolean {
  if (wanted && archivePath === '' && archive === null) throw new DeployError('ARCHIVE_MISSING');
  return wanted;
}

/** Builds a failure reply without `data`, as clients of these operations expect. */
export function refusal(error: DeployError, ctx: CallContext): object {
  const { text: msg, err, fields } = toErrorResponse(error, localeOf(ctx.locale));
  return { success: false, qk: 4, code: msg, msg, err, ...(fields ? { fields } : {}) };
}
