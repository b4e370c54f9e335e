import { Injectable, type Type } from '@nestjs/common';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';

import { legacyTime, readLegacyTime } from '../../common/index.js';
import { BaseUrl, ZonedClock } from '../../config/index.js';
import { VersionField, versionOf } from '../../http/index.js';
import { ListInput, ListReply, NoInput, OneOf, Operation, RowId, SuccessReply, Switch, Trimmed } from '../../operations/index.js';
import type { CallContext, Scope } from '../../sdk/index.js';
import { MonitorInput } from '../records/index.js';
import { INCIDENT_SEVERITIES, INCIDENT_STATES, type IncidentSeverity, type IncidentState } from '../entities/index.js';
import { MonitorError } from '../errors.js';

import { Incidents, incidentForm, incidentVersion, updateVersion, type IncidentText } from './incidents.js';
import { PublicStatus } from './public-status.js';
import { StatusPages, shownForm, statusPageForm, statusPageVersion, type StatusOwner } from './status-pages.js';

class StatusPageInput {
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(120) title!: string;
  /** Last part of the address; empty for a new random one. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) slug?: string;
  @IsOptional() @Switch() @IsBoolean() is_public = false;
  @VersionField() row_version?: string;
}

class ShowInput extends MonitorInput {
  /** Public name; empty hides the monitor. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(120) public_name = '';
  @VersionField() row_version?: string;
}

class IncidentInput {
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(250) title!: string;
  @OneOf(INCIDENT_SEVERITIES) severity!: IncidentSeverity;
  /** `YYYY-MM-DD HH:MM` in the panel's time zone; empty for now. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(19) started_at = '';
}

class NewIncidentInput extends IncidentInput {
  @OneOf(INCIDENT_STATES) state!: IncidentState;
  /** Markdown. */
  @IsString() @IsNotEmpty() @MaxLength(20_000) content!: string;
}

class IncidentChange extends IncidentInput {
  @RowId() id!: number;
  @VersionField() row_version?: string;
}

class UpdateInput extends MonitorInput {
  @OneOf(INCIDENT_STATES) state!: IncidentState;
  /** Markdown. */
  @IsString() @IsNotEmpty() @MaxLength(20_000) content!: string;
}

class UpdateChange extends MonitorInput {
  @IsString() @IsNotEmpty() @MaxLength(20_000) content!: string;
  @VersionField() row_version?: string;
}

class UpdateListInput extends ListInput {
  /** Id of the incident. */
  @RowId() id!: number;
}

/**
 * Creates the operations of a side: for an account's own page, or for that of the installation. Source: docs/panel-api.md "Status pages".
 */
function statusOperationsOf(side: Scope): Type<object> {
  const reads = { side, auth: side, audit: null, rate: 'read' } as const;
  const writes = { side, auth: side, rate: 'write' } as const;
  const ownerOf = ({ user }: CallContext): StatusOwner => (side === 'admin' ? 0 : user!.id);

  @Injectable()
  class StatusOperations {
    constructor(
      private readonly pages: StatusPages,
      private readonly incidents: Incidents,
      private readonly shown: PublicStatus,
      private readonly clock: ZonedClock,
      private readonly baseUrl: BaseUrl,
    ) {}

    @Operation({ ...reads, gn: 'status_page', input: NoInput })
    async show(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
      const page = await this.pages.find(ownerOf(ctx));
      return new SuccessReply('monitor.read', {
        ...statusPageForm(page ?? { title: '', slug: '', isPublic: false }),
        url: page ? this.addressOf(page.slug) : '',
        off_reason: page?.offReason ?? '',
        row_version: statusPageVersion(page),
      });
    }

    @Operation({ ...writes, gn: 'status_save', input: StatusPageInput, audit: 'monitor.audit.status_page' })
    async save({ title, slug, is_public, row_version }: StatusPageInput, ctx: CallContext): Promise<SuccessReply> {
      const page = await this.pages.save(ownerOf(ctx), { title, slug, isPublic: is_public }, row_version);
      this.shown.forget(page.id);
      return new SuccessReply('monitor.saved', { url: this.addressOf(page.slug) });
    }

    @Operation({ ...reads, gn: 'status_monitors', input: ListInput })
    async monitors({ page, limit }: ListInput, ctx: CallContext): Promise<ListReply> {
      const { total, tasks } = await this.pages.monitors(ownerOf(ctx), (page - 1) * limit, limit);
      return new ListReply(
        total,
        tasks.map(({ id, name, type, statusPageId, statusName, enabled, state }) => ({
          id,
          name,
          task_type: type,
          state: enabled ? state : 'off',
          public_name: statusPageId === null ? '' : statusName,
          suggested: statusPageId === null ? name.slice(0, 120) : statusName,
          row_version: versionOf(shownForm({ statusPageId, statusName })),
        })),
      );
    }

    /** @throws StaleForm */
    @Operation({ ...writes, gn: 'status_show', input: ShowInput, audit: 'monitor.audit.status_shown' })
    async showMonitor({ id, public_name, row_version }: ShowInput, ctx: CallContext): Promise<SuccessReply> {
      const page = await this.pages.show(ownerOf(ctx), id, public_name, row_version);
      this.shown.forget(page.id);
      return new SuccessReply('monitor.saved');
    }

    @Operation({ ...reads, gn: 'incident_list', input: ListInput })
    async list({ page, limit }: ListInput, ctx: CallContext): Promise<ListReply> {
      const own = await this.pages.find(ownerOf(ctx));
      if (!own) return new ListReply(0, []);
      const { total, incidents } = await this.incidents.page(own.id, (page - 1) * limit, limit);
      return new ListReply(
        total,
        incidents.map((incident) => ({
          id: incident.id,
          ...incidentForm(incident, this.clock.timezone),
          state: incident.state,
          resolved_at: incident.resolvedAt ? legacyTime(incident.resolvedAt, this.clock.timezone) : '',
          row_version: incidentVersion(incident, this.clock.timezone),
        })),
      );
    }

    @Operation({ ...writes, gn: 'incident_add', input: NewIncidentInput, audit: 'monitor.audit.incident' })
    async add({ state, content, ...input }: NewIncidentInput, ctx: CallContext): Promise<SuccessReply> {
      const text = this.textOf(input);
      const { id: pageId } = await this.pages.ensure(ownerOf(ctx));
      const id = await this.incidents.add(pageId, text, { state, content });
      this.shown.forget(pageId);
      return new SuccessReply('monitor.told', { id });
    }

    @Operation({ ...writes, gn: 'incident_change', input: IncidentChange, audit: 'monitor.audit.incident_changed' })
    async change({ id, row_version, ...input }: IncidentChange, ctx: CallContext): Promise<SuccessReply> {
      await this.write(ctx, (page) => this.incidents.change(page, id, this.textOf(input), row_version));
      return new SuccessReply('monitor.saved');
    }

    @Operation({ ...writes, gn: 'incident_del', input: MonitorInput, audit: 'monitor.audit.incident_deleted' })
    async remove({ id }: MonitorInput, ctx: CallContext): Promise<SuccessReply> {
      await this.write(ctx, (page) => this.incidents.remove(page, id));
      return new SuccessReply('monitor.deleted');
    }

    @Operation({ ...reads, gn: 'incident_updates', input: UpdateListInput })
    async updates({ id, page, limit }: UpdateListInput, ctx: CallContext): Promise<ListReply> {
      const updates = await this.incidents.updates(await this.pageOf(ctx), id);
      return new ListReply(
        updates.length,
        updates.slice((page - 1) * limit, page * limit).map((update) => ({
          id: update.id,
          state: update.state,
          content: update.content,
          created_at: legacyTime(update.createdAt, this.clock.timezone),
          row_version: updateVersion(update),
        })),
      );
    }

    @Operation({ ...writes, gn: 'incident_update_add', input: UpdateInput, audit: 'monitor.audit.incident_told' })
    async addUpdate({ id, state, content }: UpdateInput, ctx: CallContext): Promise<SuccessReply> {
      await this.write(ctx, (page) => this.incidents.addUpdate(page, id, { state, content }));
      return new SuccessReply('monitor.told');
    }

    @Operation({ ...writes, gn: 'incident_update_change', input: UpdateChange, audit: 'monitor.audit.update_changed' })
    async changeUpdate({ id, content, row_version }: UpdateChange, ctx: CallContext): Promise<SuccessReply> {
      await this.write(ctx, (page) => this.incidents.changeUpdate(page, id, content, row_version));
      return new SuccessReply('monitor.saved');
    }

    @Operation({ ...writes, gn: 'incident_update_del', input: MonitorInput, audit: 'monitor.audit.update_deleted' })
    async removeUpdate({ id }: MonitorInput, ctx: CallContext): Promise<SuccessReply> {
      await this.write(ctx, (page) => this.incidents.removeUpdate(page, id));
      return new SuccessReply('monitor.deleted');
    }

    private async write(ctx: CallContext, work: (pageId: number) => Promise<void>): Promise<void> {
      const pageId = await this.pageOf(ctx);
      await work(pageId);
      this.shown.forget(pageId);
    }

    /** @throws MonitorError `INCIDENT_MISSING` if there is no page, which means no incidents */
    private async pageOf(ctx: CallContext): Promise<number> {
      const page = await this.pages.find(ownerOf(ctx));
      if (!page) throw new MonitorError('INCIDENT_MISSING');
      return page.id;
    }

    private textOf({ title, severity, started_at }: IncidentInput): IncidentText {
      const now = this.clock.now();
      const startedAt = started_at === '' ? now : readLegacyTime(started_at, this.clock.timezone);
      if (!startedAt) throw new MonitorError('FIELD_WRONG', {}, { started_at: 'monitor.field.window_time' });
      if (startedAt > now) throw new MonitorError('FIELD_WRONG', {}, { started_at: 'monitor.field.started_later' });
      return { title, severity, startedAt };
    }

    private addressOf(slug: string): string {
      return `${this.baseUrl.current()}/status/${slug}`;
    }
  }
  return StatusOperations;
}

/** Operations on the installation's status page. */
export const AdminStatusOperations = statusOperationsOf('admin');

/** Operations on an account's status page. */
export const UserStatusOperations = statusOperationsOf('user');
