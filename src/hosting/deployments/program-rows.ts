import { Injectable } from '@nestjs/common';

import { legacyTime, type Locale, localeOf, sayWords, toYuan, translate, unpackWords } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { Deployment, DeployProgram } from '../entities/index.js';
import { shownSize } from '../files/index.js';
import { sayOfServer, type ServerReader } from '../server-access.js';
import type { OpenSite } from '../site-tools/index.js';

import { localizedText } from './bundled-words.js';
import { DeploymentWork } from './deployment-work.js';
import { ProgramFit } from './program-fit.js';

/** Fields of a program in the operation log. */
export const programLine = ({ id, name }: DeployProgram): { id: number; name: string } => ({ id, name });

/** Converts programs and deployments to rows of lists. */
@Injectable()
export class ProgramRows {
  constructor(
    private readonly config: AppConfig,
    private readonly fit: ProgramFit,
    private readonly work: DeploymentWork,
  ) {}

  /** A row of `listbs`, with the columns known to other clients: every value is text. `cxdx` is the size of the archive in MB. */
  of(program: DeployProgram, locale: Locale): Record<string, string> {
    const { id, name, description, images, createdAt, archivePath, archiveSize, requiredQuotaMb, buyers } = program;
    return {
      id: String(id),
      name: localizedText(locale, name),
      jc: localizedText(locale, description ?? ''),
      src: JSON.stringify(images),
      date: legacyTime(createdAt, this.config.timezone),
      cxwz: archivePath,
      sxpz: JSON.stringify(requiredQuotaMb.map(String)),
      tj: JSON.stringify(buyers),
      jg: toYuan(program.price),
      inp: JSON.stringify(program.form),
      pz: JSON.stringify(Object.fromEntries(program.steps.map((step, index) => [String(index + 1), step]))),
      alet: program.doneMessage ?? '',
      qk: String(program.onShelf),
      cxdx: archiveSize === 0 ? '0' : (archiveSize / 1_048_576).toFixed(2),
      dx: archiveSize === 0 ? '' : shownSize(archiveSize),
      sl: String(buyers.length),
      px: String(program.position),
    };
  }

  /** A program for site owners: `ks` whether the site can have it, `bz` why not; `gm` whether it was paid for or is free. */
  offered(program: DeployProgram, site: OpenSite, bought: ReadonlySet<number>, locale: Locale): Record<string, unknown> {
    const { id, name, description, price, requiredQuotaMb, images, buyers, onShelf } = program;
    const problems = this.fit.problems(site, program);
    return {
      id: String(id),
      name: localizedText(locale, name),
      jc: localizedText(locale, description ?? ''),
      jg: toYuan(price),
      src: images,
      sxpz: requiredQuotaMb.map(String),
      tj: buyers,
      qk: String(onShelf),
      sl: String(buyers.length),
      gm: String(price === 0 || bought.has(id)),
      ks: String(problems.length === 0),
      bz: problems.map((problem) => sayWords(locale, problem)).join(' '),
    };
  }

  /** Rows of `listbsjl`: `zt` is the state, `bz` the present activity or the message, `cw` the error. */
  async deployments(rows: readonly Deployment[], reader: ServerReader): Promise<Record<string, string>[]> {
    const undoable = await this.work.undoable(rows);
    return Promise.all(rows.map((row) => this.deployment(row, undoable.has(row.id), reader)));
  }

  private async deployment(row: Deployment, isUndoable: boolean, reader: ServerReader): Promise<Record<string, string>> {
    const locale = localeOf(reader.locale);
    const progress = await this.work.progress(row);
    return {
      id: String(row.id),
      bs: String(row.id),
      cx: String(row.programId),
      name: localizedText(locale, row.programName),
      date: legacyTime(row.madeAt, this.config.timezone),
      zt: row.state,
      jd: progress === null ? '' : String(progress),
      bz: row.busy === null ? row.message : translate(locale, ...this.doing(row, progress ?? 0)),
      cw: row.error === null ? '' : sayOfServer(reader, unpackWords(row.error)),
      by: row.by,
      kt: String(isUndoable),
    };
  }

  private doing({ state, phase, step, steps }: Deployment, n: number): [string, Record<string, string | number>] {
    if (state === 'undoing') return ['deploy.doing_undo', { n }];
    if (phase === 'steps') return ['deploy.doing_steps', { step: Math.max(step, 1), steps }];
    return [phase === 'files' ? 'deploy.doing_files' : 'deploy.doing_snapshot', { n }];
  }
}
