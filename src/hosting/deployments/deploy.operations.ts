import { Injectable } from '@nestjs/common';

import { localeOf, translate, unpackWords, type Locale } from '../../common/index.js';
import { NoInput, Operation, RawReply, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { Deployment, DeployProgram } from '../entities/index.js';
import { sayOfServer, type ServerReader } from '../server-access.js';
import { type OpenSite, SiteAccess, waitShortly } from '../site-tools/index.js';

import { localizedText } from './bundled-words.js';
import { DeployError } from './deploy-errors.js';
import { DeploymentRecords } from './deployment-records.js';
import { DeploymentWork } from './deployment-work.js';
import { ProgramCatalogue } from './program-catalogue.js';
import { ProgramFit } from './program-fit.js';
import { type ProgramField, RESERVED } from './program-form.js';
import { DeployInput, ProgramInput, TryProgramInput } from './program-inputs.js';
import { planOf } from './program-plan.js';
import { ProgramRows } from './program-rows.js';

/** Maximum number of programs listed. */
const MAX_LISTED = 500;
/** Request fields that are not answers. */
const FIELDS = new Set([...RESERVED, 'bs']);

/** Queues an installation and waits briefly for its end, for both sides. */
@Injectable()
export class DeployOrders {
  constructor(
    private readonly records: DeploymentRecords,
    private readonly work: DeploymentWork,
  ) {}

  /** @throws the errors of {@link DeploymentWork.order} */
  async order(site: OpenSite, program: DeployProgram, datas: unknown, ctx: CallContext): Promise<SuccessReply | RawReply> {
    const row = await this.work.order(
      site,
      program,
      givenIn(datas, ctx.body),
      ctx.scope === 'admin' ? (ctx.admin?.username ?? 'admin') : 'user',
    );
    const now = await waitShortly(
      () => this.records.byId(row.id),
      (found) => found === null || found.busy === null,
    );
    const params = { host: site.account.username, name: program.name, id: program.id };
    return now?.busy === null ? ended(now, params, ctx) : new SuccessReply('deploy.ordered', found(row), params);
  }
}

/** Operations of site owners on the catalogue of programs. Source: docs/panel-api.md "Programs", spec ajax.md 14. */
@Injectable()
export class DeployOperations {
  constructor(
    private readonly sites: SiteAccess,
    private readonly catalogue: ProgramCatalogue,
    private readonly fit: ProgramFit,
    private readonly rows: ProgramRows,
    private readonly orders: DeployOrders,
  ) {}

  /** Lists the catalogue, as rows and in `msg` in the format of older single-page themes. */
  @Operation({ side: 'user', gn: 'deploy_list', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, ctx: CallContext): Promise<RawReply> {
    const site = await this.sites.ofOwner(ctx, 'read');
    const locale = localeOf(ctx.locale);
    const [[programs], bought] = await Promise.all([this.catalogue.list(0, MAX_LISTED, true), this.catalogue.boughtBy(site.account.id)]);
    const list = programs.map((program) => this.rows.offered(program, site, bought, locale));
    const { webQuotaMb, databaseQuotaMb } = site.account;
    const msg = { list, web: String(webQuotaMb), sql: String(databaseQuotaMb) };
    return new RawReply({ success: true, qk: 1, code: translate(locale, 'deploy.read'), msg, total: list.length, rows: list });
  }

  /** Returns the form of a program as JSON text. */
  @Operation({ side: 'user', gn: 'yjbsform', auth: 'user', input: ProgramInput, audit: null, rate: 'read' })
  async form({ id }: ProgramInput, ctx: CallContext): Promise<RawReply> {
    const { program } = await this.own(id, ctx, 'read');
    const locale = localeOf(ctx.locale);
    return new RawReply({
      success: true,
      qk: 1,
      code: translate(locale, 'deploy.read'),
      form: JSON.stringify(formFor(locale, planOf(program).form)),
    });
  }

  /** Installs a program on the caller's site, in the background: `bsjd` returns its progress. */
  @Operation({ side: 'user', gn: 'yjbs', auth: 'user', input: DeployInput, audit: 'deploy.audit_deployed', rate: 'expensive' })
  async deploy({ id, datas }: DeployInput, ctx: CallContext): Promise<SuccessReply | RawReply> {
    const { site, program } = await this.own(id, ctx, 'change');
    return this.orders.order(site, program, datas, ctx);
  }

  /** @throws DeployError PROGRAM_MISSING, OFF_SHELF, NOT_FITTING, NOT_BOUGHT */
  private async own(id: number, ctx: CallContext, use: 'read' | 'change'): Promise<{ site: OpenSite; program: DeployProgram }> {
    const site = await this.sites.ofOwner(ctx, use);
    const program = await this.catalogue.find(id);
    if (!program.onShelf) throw new DeployError('OFF_SHELF');
    this.fit.require(site, program);
    if (!(await this.catalogue.has(site.account.id, program))) throw new DeployError('NOT_BOUGHT', { id });
    return { site, program };
  }
}

/** Tests a program on a host before it is offered. Source: docs/panel-api.md "Programs". */
@Injectable()
export class TryProgramOperations {
  constructor(
    private readonly sites: SiteAccess,
    private readonly catalogue: ProgramCatalogue,
    private readonly orders: DeployOrders,
  ) {}

  /**
   * Installs a program on a host, whether or not it is offered or paid for. The host's content is replaced; the installation can be undone.
   */
  @Operation({
    side: 'admin',
    gn: 'cxyl',
    auth: 'admin',
    input: TryProgramInput,
    audit: 'deploy.audit_tried',
    rate: 'expensive',
    servers: { of: 'host', field: 'id' },
  })
  async tryOn({ id, bs, datas }: TryProgramInput, ctx: CallContext): Promise<SuccessReply | RawReply> {
    const site = await this.sites.ofHost(id);
    return this.orders.order(site, await this.catalogue.find(bs), datas, ctx);
  }
}

/** Translates the labels of a form. */
const formFor = (locale: Locale, form: readonly ProgramField[]): ProgramField[] =>
  form.map((field) => ({ ...field, ltaler: localizedText(locale, field.ltaler) }));

/** Returns the answers: from `datas`, or from the remaining request fields. */
function givenIn(datas: unknown, body: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  if (typeof datas === 'object' && datas !== null && !Array.isArray(datas)) return datas as Record<string, unknown>;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !FIELDS.has(field)));
}

const found = ({ id, taskId }: Deployment) => ({ bs: id, task_id: taskId ?? '' });

/** Builds the reply for an ended installation. */
export function ended(row: Deployment, params: Record<string, string | number>, reader: ServerReader): SuccessReply | RawReply {
  if (row.state === 'done' || row.state === 'undone') {
    if (row.message === '') return new SuccessReply(row.state === 'done' ? 'deploy.done' : 'deploy.undone', found(row), params);
    return new SuccessReply('deploy.done_message', found(row), { ...params, message: row.message });
  }
  const msg = row.error === null ? translate(localeOf(reader.locale), 'deploy.failed') : sayOfServer(reader, unpackWords(row.error));
  return new RawReply({ success: false, qk: 4, code: msg, msg, err: 'E_STATE', ...found(row) });
}
