import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { checkVersion, versionOf } from '../../http/index.js';
import { MonitorTask, StatusPage } from '../entities/index.js';
import { MonitorError } from '../errors.js';

/** Owner of a status page: id of an account, 0 for the installation. */
export type StatusOwner = number;

/** Settings of a status page. */
export interface StatusPageText {
  readonly title: string;
  /** Empty for a new random one; undefined keeps the present one. */
  readonly slug?: string;
  readonly isPublic: boolean;
}

/** Maximum number of monitors on a page. */
export const MAX_SHOWN = 50;

/** Letters, digits and hyphens, 3 to 64. */
const SLUG = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;

/** Manages status pages: one per account and one for the installation. */
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

  /** Returns the page of an owner; null before it is first used. */
  find(owner: StatusOwner): Promise<StatusPage | null> {
    return this.database.repository(StatusPage).findOneBy({ accountId: owner });
  }

  /** Returns the page of an owner, creating a hidden one with a random address if necessary. */
  async ensure(owner: StatusOwner): Promise<StatusPage> {
    const present = await this.find(owner);
    if (present) return present;
    await this.insert.run(owner, newSlug(), this.clock.now());
    return this.database.repository(StatusPage).findOneByOrFail({ accountId: owner });
  }

  /** @throws MonitorError naming the invalid field; StaleForm after a concurrent change */
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

  /** Returns an owner's monitors in creation order, for selection. */
  async monitors(owner: StatusOwner, offset: number, limit: number): Promise<{ total: number; tasks: MonitorTask[] }> {
    const [tasks, total] = await this.database
      .repository(MonitorTask)
      .findAndCount({ where: monitorsOf(owner), order: { id: 'ASC' }, skip: offset, take: limit });
    return { total, tasks };
  }

  /** Shows a monitor on the page under a public name. @param name empty hides it @throws MonitorError */
  async show(owner: StatusOwner, taskId: number, name: string, version?: string): Promise<StatusPage> {
    const page = await this.ensure(owner);
    await this.database.transaction(async () => {
      await this.database.lockRow('StatusPage', 'id', page.id);
      const tasks = this.database.repository(MonitorTask);
      const task = await tasks.findOneBy({ ...monitorsOf(owner), id: taskId });
      if (!task) throw new MonitorError('MONITOR_MISSING');
      checkVersion(version, shownForm(task));
      if (name !== '' && task.statusPageId === null && (await tasks.countBy({ statusPageId: page.id })) >= MAX_SHOWN)
        throw new MonitorError('STATUS_FULL', { n: MAX_SHOWN });
      await tasks.update({ id: taskId }, { statusPageId: name === '' ? null : page.id, statusName: name });
      this.database.noteChange({ of: 'monitor', id: taskId }, task, { statusName: name });
    });
    return page;
  }
}

const newSlug = (): string => randomBytes(10).toString('hex');

/** Returns the form fields of a page. */
export const statusPageForm = ({ title, slug = '', isPublic }: StatusPageText) => ({ title, slug, is_public: isPublic });

/** Returns the form fields of a monitor on the page; an empty name means hidden. */
export const shownForm = ({ statusPageId, statusName }: Pick<MonitorTask, 'statusPageId' | 'statusName'>) => ({
  public_name: statusPageId === null ? '' : statusName,
});

/** Returns the version of that form; '' for a page that does not exist yet. */
export const statusPageVersion = (page: StatusPage | null): string => (page ? versionOf(statusPageForm(page)) : '');

const monitorsOf = (owner: StatusOwner) => (owner === 0 ? { user: '' } : { accountId: owner });
