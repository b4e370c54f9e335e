import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { checkVersion, versionOf } from '../../http/index.js';
import { Incident, IncidentUpdate, type IncidentSeverity, type IncidentState } from '../entities/index.js';
import { MonitorError } from '../errors.js';

/** Editable fields of an incident. */
export interface IncidentText {
  readonly title: string;
  readonly severity: IncidentSeverity;
  readonly startedAt: Date;
}

/** An update of an incident. */
export interface UpdateText {
  readonly state: IncidentState;
  /** Markdown. */
  readonly content: string;
}

/** Maximum number of incidents per page and of updates per incident. */
const MAX_INCIDENTS = 500;
const MAX_UPDATES = 100;

/** Fields of an added or deleted update in the operation log. */
const AUDITED_FIELDS = ['incidentId', 'state', 'content'];

/** Manually written incidents. Each has at least one update; the newest one determines its state. */
@Injectable()
export class Incidents {
  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {}

  /** Returns the incidents of a page, latest start first. */
  async page(pageId: number, offset: number, limit: number): Promise<{ total: number; incidents: Incident[] }> {
    const [incidents, total] = await this.database
      .repository(Incident)
      .findAndCount({ where: { pageId }, order: { startedAt: 'DESC', id: 'DESC' }, skip: offset, take: limit });
    return { total, incidents };
  }

  /** @throws MonitorError `INCIDENT_MISSING`, also for an incident of another page */
  async find(pageId: number, id: number): Promise<Incident> {
    const incident = await this.database.repository(Incident).findOneBy({ id, pageId });
    if (!incident) throw new MonitorError('INCIDENT_MISSING');
    return incident;
  }

  /** Returns the updates of an incident, newest first. @throws MonitorError `INCIDENT_MISSING` */
  async updates(pageId: number, id: number): Promise<IncidentUpdate[]> {
    const incident = await this.find(pageId, id);
    return this.database.repository(IncidentUpdate).find({ where: { incidentId: incident.id }, order: { id: 'DESC' }, take: MAX_UPDATES });
  }

  /** @returns its id @throws MonitorError `INCIDENT_LIMIT` */
  add(pageId: number, text: IncidentText, update: UpdateText): Promise<number> {
    return this.database.transaction(async () => {
      await this.database.lockRow('StatusPage', 'id', pageId);
      const rows = this.database.repository(Incident);
      if ((await rows.countBy({ pageId })) >= MAX_INCIDENTS) throw new MonitorError('INCIDENT_LIMIT', { n: MAX_INCIDENTS });
      const { identifiers } = await rows.insert({ ...text, pageId, state: update.state });
      const id = Number(identifiers[0]!.id);
      this.database.noteChange({ of: 'incident', id }, null, text);
      await this.insertUpdate(id, update);
      return id;
    });
  }

  /** @throws MonitorError `INCIDENT_MISSING`; StaleForm after a concurrent change */
  change(pageId: number, id: number, text: IncidentText, version: string | undefined): Promise<void> {
    return this.withLock(pageId, id, async (incident) => {
      checkVersion(version, incidentForm(incident, this.clock.timezone));
      await this.database.repository(Incident).update({ id }, text);
      this.database.noteChange({ of: 'incident', id }, incident, text);
    });
  }

  /** Deletes an incident with its updates. @throws MonitorError `INCIDENT_MISSING` */
  remove(pageId: number, id: number): Promise<void> {
    return this.withLock(pageId, id, async (incident) => {
      await this.database.repository(Incident).delete({ id });
      this.database.noteChange({ of: 'incident', id, only: ['title', 'severity', 'startedAt', 'state'] }, incident, null);
    });
  }

  /** @throws MonitorError `INCIDENT_MISSING`, `UPDATE_LIMIT` */
  addUpdate(pageId: number, id: number, update: UpdateText): Promise<void> {
    return this.withLock(pageId, id, async () => {
      if ((await this.database.repository(IncidentUpdate).countBy({ incidentId: id })) >= MAX_UPDATES)
        throw new MonitorError('UPDATE_LIMIT', { n: MAX_UPDATES });
      await this.insertUpdate(id, update);
    });
  }

  /** Edits the text of an update. @throws MonitorError `UPDATE_MISSING`; StaleForm after a concurrent change */
  async changeUpdate(pageId: number, updateId: number, content: string, version: string | undefined): Promise<void> {
    const { incidentId } = await this.findUpdate(updateId);
    await this.withLock(pageId, incidentId, async () => {
      const present = await this.findUpdate(updateId);
      checkVersion(version, { content: present.content });
      await this.database.repository(IncidentUpdate).update({ id: updateId }, { content });
      this.database.noteChange({ of: 'incident_update', id: updateId }, present, { content });
    });
  }

  /** Deletes an update; the previous one determines the incident's state. @throws MonitorError `UPDATE_MISSING`, `UPDATE_LAST` */
  async removeUpdate(pageId: number, updateId: number): Promise<void> {
    const { incidentId } = await this.findUpdate(updateId);
    await this.withLock(pageId, incidentId, async () => {
      const updates = this.database.repository(IncidentUpdate);
      if ((await updates.countBy({ incidentId })) < 2) throw new MonitorError('UPDATE_LAST');
      const present = await this.findUpdate(updateId);
      await updates.delete({ id: updateId });
      this.database.noteChange({ of: 'incident_update', id: updateId, only: AUDITED_FIELDS }, present, null);
      await this.syncState(incidentId);
    });
  }

  private async findUpdate(id: number): Promise<IncidentUpdate> {
    const update = await this.database.repository(IncidentUpdate).findOneBy({ id });
    if (!update) throw new MonitorError('UPDATE_MISSING');
    return update;
  }

  /** Runs work while holding the lock of an incident. */
  private withLock(pageId: number, id: number, work: (incident: Incident) => Promise<void>): Promise<void> {
    return this.database.transaction(async () => {
      await this.database.lockRow('Incident', 'id', id);
      await work(await this.find(pageId, id));
    });
  }

  private async insertUpdate(incidentId: number, { state, content }: UpdateText): Promise<void> {
    const { identifiers } = await this.database
      .repository(IncidentUpdate)
      .insert({ incidentId, state, content, createdAt: this.clock.now() });
    this.database.noteChange({ of: 'incident_update', id: Number(identifiers[0]!.id), only: AUDITED_FIELDS }, null, {
      incidentId,
      state,
      content,
    });
    await this.syncState(incidentId);
  }

  /** Copies the state of the newest update to the incident. */
  private async syncState(id: number): Promise<void> {
    const newest = await this.database.repository(IncidentUpdate).findOneOrFail({ where: { incidentId: id }, order: { id: 'DESC' } });
    await this.database
      .repository(Incident)
      .update({ id }, { state: newest.state, resolvedAt: newest.state === 'resolved' ? newest.createdAt : null });
  }
}

/** Returns the form fields of an incident. */
export const incidentForm = ({ title, severity, startedAt }: IncidentText, timezone: string) => ({
  title,
  severity,
  started_at: legacyTime(startedAt, timezone),
});

/** Returns the version of that form. */
export const incidentVersion = (incident: IncidentText, timezone: string): string => versionOf(incidentForm(incident, timezone));

/** Returns the version of an update's form. */
export const updateVersion = ({ content }: UpdateText): string => versionOf({ content });
