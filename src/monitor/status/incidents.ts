import { Injectable } from '@nestjs/common';

import { Clock, legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { checkVersion, versionOf } from '../../http/index.js';
import { Incident, IncidentUpdate, type IncidentSeverity, type IncidentState } from '../entities/index.js';
import { MonitorError } from '../errors.js';

/** What the owner of a page says of an incident itself. */
export interface IncidentText {
  readonly title: string;
  readonly severity: IncidentSeverity;
  readonly startedAt: Date;
}

/** What is told of it now. */
export interface UpdateText {
  readonly state: IncidentState;
  /** Markdown. */
  readonly content: string;
}

/** Incidents of one page, and updates of one incident. */
const MOST_INCIDENTS = 500;
const MOST_UPDATES = 100;

/** What the operation log tells of an update that came or went. */
const TOLD = ['incidentId', 'state', 'content'];

/** Incidents, written by hand. Each has at least one update, whose newest says where it stands. */
@Injectable()
export class Incidents {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Those of a page, the one that began last first. */
  async page(pageId: number, offset: number, limit: number): Promise<{ total: number; incidents: Incident[] }> {
    const [incidents, total] = await this.database
      .repository(Incident)
      .findAndCount({ where: { pageId }, order: { startedAt: 'DESC', id: 'DESC' }, skip: offset, take: limit });
    return { total, incidents };
  }

  /** @throws MonitorError `INCIDENT_MISSING`, for one of another page too */
  async find(pageId: number, id: number): Promise<Incident> {
    const incident = await this.database.repository(Incident).findOneBy({ id, pageId });
    if (!incident) throw new MonitorError('INCIDENT_MISSING');
    return incident;
  }

  /** What was told of one, the newest first. @throws MonitorError `INCIDENT_MISSING` */
  async updates(pageId: number, id: number): Promise<IncidentUpdate[]> {
    const incident = await this.find(pageId, id);
    return this.database.repository(IncidentUpdate).find({ where: { incidentId: incident.id }, order: { id: 'DESC' }, take: MOST_UPDATES });
  }

  /** @returns its id @throws MonitorError `INCIDENT_LIMIT` */
  add(pageId: number, text: IncidentText, update: UpdateText): Promise<number> {
    return this.database.transaction(async () => {
      await this.database.lockRow('StatusPage', 'id', pageId);
      const rows = this.database.repository(Incident);
      if ((await rows.countBy({ pageId })) >= MOST_INCIDENTS) throw new MonitorError('INCIDENT_LIMIT', { n: MOST_INCIDENTS });
      const { identifiers } = await rows.insert({ ...text, pageId, state: update.state });
      const id = Number(identifiers[0]!.id);
      this.database.noteChange({ of: 'incident', id }, null, text);
      await this.tell(id, update);
      return id;
    });
  }

  /** @throws MonitorError `INCIDENT_MISSING`; StaleForm where somebody changed it meanwhile */
  change(pageId: number, id: number, text: IncidentText, version: string | undefined): Promise<void> {
    return this.holding(pageId, id, async (incident) => {
      checkVersion(version, incidentForm(incident, this.config.timezone));
      await this.database.repository(Incident).update({ id }, text);
      this.database.noteChange({ of: 'incident', id }, incident, text);
    });
  }

  /** Deletes one with all that was told of it. @throws MonitorError `INCIDENT_MISSING` */
  remove(pageId: number, id: number): Promise<void> {
    return this.holding(pageId, id, async (incident) => {
      await this.database.repository(Incident).delete({ id });
      this.database.noteChange({ of: 'incident', id, only: ['title', 'severity', 'startedAt', 'state'] }, incident, null);
    });
  }

  /** @throws MonitorError `INCIDENT_MISSING`, `UPDATE_LIMIT` */
  addUpdate(pageId: number, id: number, update: UpdateText): Promise<void> {
    return this.holding(pageId, id, async () => {
      if ((await this.database.repository(IncidentUpdate).countBy({ incidentId: id })) >= MOST_UPDATES)
        throw new MonitorError('UPDATE_LIMIT', { n: MOST_UPDATES });
      await this.tell(id, update);
    });
  }

  /** Mends the words of one. @throws MonitorError `UPDATE_MISSING`; StaleForm where somebody changed it meanwhile */
  async changeUpdate(pageId: number, updateId: number, content: string, version: string | undefined): Promise<void> {
    const { incidentId } = await this.findUpdate(updateId);
    await this.holding(pageId, incidentId, async () => {
      const present = await this.findUpdate(updateId);
      checkVersion(version, { content: present.content });
      await this.database.repository(IncidentUpdate).update({ id: updateId }, { content });
      this.database.noteChange({ of: 'incident_update', id: updateId }, present, { content });
    });
  }

  /** Takes one back: the incident stands where the one before says. @throws MonitorError `UPDATE_MISSING`, `UPDATE_LAST` */
  async removeUpdate(pageId: number, updateId: number): Promise<void> {
    const { incidentId } = await this.findUpdate(updateId);
    await this.holding(pageId, incidentId, async () => {
      const updates = this.database.repository(IncidentUpdate);
      if ((await updates.countBy({ incidentId })) < 2) throw new MonitorError('UPDATE_LAST');
      const present = await this.findUpdate(updateId);
      await updates.delete({ id: updateId });
      this.database.noteChange({ of: 'incident_update', id: updateId, only: TOLD }, present, null);
      await this.follow(incidentId);
    });
  }

  private async findUpdate(id: number): Promise<IncidentUpdate> {
    const update = await this.database.repository(IncidentUpdate).findOneBy({ id });
    if (!update) throw new MonitorError('UPDATE_MISSING');
    return update;
  }

  /** With nobody else at the incident. */
  private holding(pageId: number, id: number, work: (incident: Incident) => Promise<void>): Promise<void> {
    return this.database.transaction(async () => {
      await this.database.lockRow('Incident', 'id', id);
      await work(await this.find(pageId, id));
    });
  }

  private async tell(incidentId: number, { state, content }: UpdateText): Promise<void> {
    const { identifiers } = await this.database
      .repository(IncidentUpdate)
      .insert({ incidentId, state, content, createdAt: this.clock.now() });
    this.database.noteChange({ of: 'incident_update', id: Number(identifiers[0]!.id), only: TOLD }, null, { incidentId, state, content });
    await this.follow(incidentId);
  }

  /** The incident stands where its newest update says. */
  private async follow(id: number): Promise<void> {
    const newest = await this.database.repository(IncidentUpdate).findOneOrFail({ where: { incidentId: id }, order: { id: 'DESC' } });
    await this.database
      .repository(Incident)
      .update({ id }, { state: newest.state, resolvedAt: newest.state === 'resolved' ? newest.createdAt : null });
  }
}

/** What the form of an incident shows, by the names of its fields. */
export const incidentForm = ({ title, severity, startedAt }: IncidentText, timezone: string) => ({
  title,
  severity,
  started_at: legacyTime(startedAt, timezone),
});

/** The version of what that form shows. */
export const incidentVersion = (incident: IncidentText, timezone: string): string => versionOf(incidentForm(incident, timezone));

/** The version of what the form of an update shows. */
export const updateVersion = ({ content }: UpdateText): string => versionOf({ content });
