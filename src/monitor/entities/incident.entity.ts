import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { StatusPage } from './status-page.entity.js';

/** Severities of an incident. */
export const INCIDENT_SEVERITIES = ['minor', 'major', 'critical'] as const;

/** One of {@link INCIDENT_SEVERITIES}. */
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

/** Stages of handling an incident. */
export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

/** One of {@link INCIDENT_STATES}. */
export type IncidentState = (typeof INCIDENT_STATES)[number];

/** An incident published by the owner of a status page. */
@Entity('SVC_incident')
@Index('IX_SVC_incident_page', ['pageId', 'startedAt'])
export class Incident {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'page_id' }) pageId!: number;
  @ManyToOne(() => StatusPage, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'page_id', foreignKeyConstraintName: 'FK_SVC_incident_page' })
  page?: StatusPage;
  @StringColumn(250) title!: string;
  @StringColumn(20) severity!: IncidentSeverity;
  /** State of its newest update. */
  @StringColumn(20) state!: IncidentState;
  @TimeColumn({ name: 'started_at' }) startedAt!: Date;
  /** When its newest update resolved it; null while it is unresolved. */
  @TimeColumn({ name: 'resolved_at', nullable: true }) resolvedAt!: Date | null;
}

/** An update of an incident. */
@Entity('SVC_incident_update')
@Index('IX_SVC_incident_update_incident', ['incidentId', 'id'])
export class IncidentUpdate {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'incident_id' }) incidentId!: number;
  @ManyToOne(() => Incident, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'incident_id', foreignKeyConstraintName: 'FK_SVC_incident_update_incident' })
  incident?: Incident;
  @StringColumn(20) state!: IncidentState;
  /** Markdown. */
  @TextColumn() content!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
