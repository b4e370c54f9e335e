import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { checkVersion, versionOf } from '../../http/index.js';
import { MonitorTask, StatusPage } from '../entities/index.js';
import { MonitorError } from '../errors.js';

/** Whose status page: the number of an account, 0 for that of the installation. */
export type StatusOwner = number;

/** What the owner of a status page sets of it. */
export interface StatusPageText {
  readonly title: string;
  /** Empty: a new one nobody can guess; undefined: the one it has. */
  readonly slug?: string;
  readonly isPublic: boolean;
}

/** Monitors a page shows at most. */
export const MOST_SHOWN = 50;

/** Letters, digits and hyphens, 3 to 64. */
const SLUG = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;

/** Status pages as their owners keep them: one for each account, one for the installation. */
@Injectable()
export class StatusPages {
  private readonly insert;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      `${database.insertIgnore} {StatusPage} ({StatusPage.accountId}, {StatusPage.slug}, {StatusPage.createdAt}) VALUES (?, ?, ?)`,
    );
  }

  /** The page of an owner; null before anything was done with it. */
  find(owner: StatusOwner): Promise<StatusPage | null> {
    return this.database.repository(StatusPage).findOneBy({ accountId: owner });
  }

  /** The page of an owner, made where there is none: not public, at an address nobody can guess. */
  async ensure(owner: StatusOwner): Promise<StatusPage> {
    const present = await this.find(owner);
    if (present) return present;
    await this.insert.run(owner, newSlug(), this.clock.now());
    return this.database.repository(StatusPage).findOneByOrFail({ accountId: owner });
  }

  /** @throws MonitorError naming the field that is wrong; StaleForm where somebody changed it meanwhile */
  async save(owner: StatusOwner, { title, slug: wanted, isPublic }: StatusPageText, version: string | undefined): Promise<StatusPage> {
    const { id } = await this.ensure(owner);
    const slug = wanted === '' ? newSlug() : wanted?.toLowerCase();
    if (slug !== undefined && !SLUG.test(slug)) throw new MonitorError('FIELD_WRONG', {}, { slug: 'monitor.field.slug' });
    try {
      return await this.database.transaction(async () => {
        await this.database.lockRow('StatusPage', 'id', id);
        const rows = this.database.repository(StatusPage);
        const present = await rows.findOneByOrFail({ id });
        checkVersion(version, statusPageForm(present));
        const values = { title, slug: slug ?? present.slug, isPublic };
        await rows.update({ id }, values);
        this.database.noteChange({ of: 'status_page', id }, present, values);
        return rows.findOneByOrFail({ id });
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw new MonitorError('FIELD_WRONG', {}, { slug: 'monitor.field.slug_taken' });
      throw error;
    }
  }

  /** An owner's monitors, in the order they were made: what can be shown. */
  async monitors(owner: StatusOwner, offset: number, limit: number): Promise<{ total: number; tasks: MonitorTask[] }> {
    const [tasks, total] = await this.database
      .repository(MonitorTask)
      .findAndCount({ where: monitorsOf(owner), order: { id: 'ASC' }, skip: offset, take: limit });
    return { total, tasks };
  }

  /** Shows one of the owner's monitors under a name of its own. @param name empty: it is not shown @throws MonitorError */
  async show(owner: StatusOwner, taskId: number, name: string, version?: string): Promise<StatusPage> {
    const page = await this.ensure(owner);
    await this.database.transaction(async () => {
      await this.database.lockRow('StatusPage', 'id', page.id);
      const tasks = this.database.repository(MonitorTask);
      const task = await tasks.findOneBy({ ...monitorsOf(owner), id: taskId });
      if (!task) throw new MonitorError('MONITOR_MISSING');
      checkVersion(version, shownForm(task));
      if (name !== '' && task.statusPageId === null && (await tasks.countBy({ statusPageId: page.id })) >= MOST_SHOWN)
        throw new MonitorError('STATUS_FULL', { n: MOST_SHOWN });
      await tasks.update({ id: taskId }, { statusPageId: name === '' ? null : page.id, statusName: name });
      this.database.noteChange({ of: 'monitor', id: taskId }, task, { statusName: name });
    });
    return page;
  }
}

const newSlug = (): string => randomBytes(10).toString('hex');

/** What the form of a page shows, by the names of its fields. */
export const statusPageForm = ({ title, slug = '', isPublic }: StatusPageText) => ({ title, slug, is_public: isPublic });

/** What the form of a monitor on the page shows, by the names of its fields; an empty name: it is not shown. */
export const shownForm = ({ statusPageId, statusName }: Pick<MonitorTask, 'statusPageId' | 'statusName'>) => ({
  public_name: statusPageId === null ? '' : statusName,
});

/** The version of what that form shows; of a page that is not there yet nothing is compared. */
export const statusPageVersion = (page: StatusPage | null): string => (page ? versionOf(statusPageForm(page)) : '');

const monitorsOf = (owner: StatusOwner) => (owner === 0 ? { user: '' } : { accountId: owner });
