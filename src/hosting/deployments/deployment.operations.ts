import { Injectable } from '@nestjs/common';

import { localeOf, translate, unpackWords } from '../../common/index.js';
import { ListReply, Operation, RawReply, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { Deployment } from '../entities/index.js';
import { hostOf } from '../files/index.js';
import { sayOfServer } from '../server-access.js';
import { type MaybeHost, type OpenSite, SiteAccess, siteOperations } from '../site-tools/index.js';

import { DeployError } from './deploy-errors.js';
import { DeploymentRecords } from './deployment-records.js';
import { DeploymentWork } from './deployment-work.js';
import { DeploymentInput, DeploymentListInput } from './program-inputs.js';
import { ProgramRows } from './program-rows.js';

/** States of a task as clients know them. */
const TASK_STATES: Record<Deployment['state'], string> = {
  installing: 'running',
  undoing: 'running',
  done: 'success',
  undone: 'success',
  failed: 'failed',
  broken: 'failed',
};

/** Operations on the installations of a site: list, progress, stop and undo. Source: docs/panel-api.md "Programs". */
export const deploymentOperations = siteOperations((on, side) => {
  @Injectable()
  class DeploymentOperations {
    constructor(
      private readonly sites: SiteAccess,
      private readonly records: DeploymentRecords,
      private readonly work: DeploymentWork,
      private readonly rows: ProgramRows,
    ) {}

    /** Newest first. */
    @Operation(on('listbsjl', DeploymentListInput, null, 'read'))
    async list(input: DeploymentListInput & MaybeHost, ctx: CallContext): Promise<ListReply> {
      const { account } = await this.sites.of(input, ctx, 'read');
      const [rows, total] = await this.records.list(account.id, (input.page - 1) * input.limit, input.limit);
      const lines = await this.rows.deployments(rows, ctx);
      const host = side === 'admin' ? String(account.id) : '';
      return new ListReply(
        total,
        lines.map((line) => ({ ...line, host })),
      );
    }

    /** Returns the progress: `zt` as for every task, and the present activity. */
    @Operation(on('bsjd', DeploymentInput, null, 'read'))
    async state(input: DeploymentInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const locale = localeOf(ctx.locale);
      const row = await this.find(await this.sites.of(input, ctx, 'read'), input);
      const line = (await this.rows.deployments([row], ctx))[0]!;
      const isOver = row.busy === null;
      const ended = row.error === null ? translate(locale, `deploy.state_${row.state}`) : sayOfServer(ctx, unpackWords(row.error));
      const msg = isOver ? row.message || ended : line.bz;
      return new RawReply({
        success: true,
        qk: 1,
        code: msg,
        msg,
        ...line,
        zt: TASK_STATES[row.state],
        state: row.state,
        task_id: row.taskId ?? '',
      });
    }

    /** Stops an installation and restores the site. */
    @Operation(on('bsqx', DeploymentInput, 'deploy.audit_stopped', 'write'))
    async stop(input: DeploymentInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const row = await this.find(site, input);
      await this.work.stop(row);
      return new SuccessReply('deploy.stopped', {}, { host: hostOf(site), name: row.programName });
    }

    /** Restores a site to its state before an installation. */
    @Operation(on('bsht', DeploymentInput, 'deploy.audit_undone', 'expensive'))
    async undo(input: DeploymentInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const site = await this.sites.of(input, ctx, 'change');
      const row = await this.work.undo(await this.find(site, input), side === 'admin' ? (ctx.admin?.username ?? 'admin') : 'user');
      return new SuccessReply('deploy.undoing', { bs: row.id, task_id: row.taskId ?? '' }, { host: hostOf(site), name: row.programName });
    }

    /** @throws DeployError NOT_HERE */
    private find({ account }: OpenSite, { bs, task_id: task }: DeploymentInput): Promise<Deployment> {
      if (bs !== undefined) return this.records.find(account.id, bs);
      if (task === '') throw new DeployError('NOT_HERE');
      return this.records.ofTask(account.id, task);
    }
  }
  return DeploymentOperations;
});
