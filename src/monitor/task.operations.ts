import { Injectable } from '@nestjs/common';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';

import { legacyTime, localeOf, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { BackgroundQueue, TASK_STATES, taskTitle, tellFailure, type TaskState, type TaskView } from '../jobs/index.js';
import { ListInput, ListReply, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { MonitorError } from './errors.js';

/** Fields of `rwlist`. */
export class TaskListInput extends ListInput {
  /** Filters by state; all if omitted. */
  @IsOptional() @IsIn(['', ...TASK_STATES]) zt?: TaskState | '';
}

/** Identifies a task. */
export class TaskInput {
  /** Its `id` in the list. */
  @IsString() @IsNotEmpty() @MaxLength(60) id!: string;
}

/** A background task on the wire; all values are text. */
interface TaskLine {
  id: string;
  /** Description; its name if there is none. */
  mc: string;
  /** `waiting`, `unhandled` (no running process can handle it), `running`, `stopping`, `done`, `failed` or `cancelled`. */
  zt: string;
  /** JSON `{done, total, note}`; empty if not reported. */
  jd: string;
  /** Number of attempts. */
  cs: string;
  /** User who requested it; empty for the panel itself. */
  czuser: string;
  /** Time of the request. */
  date: string;
  /** Start of the next attempt, for a waiting task. */
  xc: string;
  /** Duration of the latest attempt in milliseconds. */
  hs: string;
  /** Error of the latest failed attempt. */
  cw: string;
}

/** Administrators' operations on background tasks. Source: docs/panel-api.md "Background work". */
@Injectable()
export class TaskOperations {
  constructor(
    private readonly queue: BackgroundQueue,
    private readonly config: AppConfig,
  ) {}

  /** Lists tasks, newest first. */
  @Operation({ side: 'admin', gn: 'rwlist', auth: 'admin', input: TaskListInput, audit: null, rate: 'read' })
  async list({ page, limit, zt }: TaskListInput, ctx: CallContext): Promise<ListReply<TaskLine>> {
    const { total, tasks } = await this.queue.list({ state: zt || undefined }, { page, limit });
    const locale = localeOf(ctx.locale);
    return new ListReply(
      total,
      tasks.map((task) => this.lineOf(task, locale)),
    );
  }

  /** Cancels a waiting task or signals a running one to stop. @throws MonitorError `TASK_MISSING`, `TASK_ENDED` */
  @Operation({ side: 'admin', gn: 'rwqx', auth: 'admin', input: TaskInput, audit: 'tasks.audit_cancel', rate: 'write' })
  async cancel({ id }: TaskInput): Promise<SuccessReply> {
    if (await this.queue.cancel(id)) return new SuccessReply('tasks.cancelled');
    throw new MonitorError((await this.queue.find(id)) ? 'TASK_ENDED' : 'TASK_MISSING');
  }

  /** Retries a failed or cancelled task. @throws MonitorError `TASK_MISSING`, `TASK_NOT_AGAIN` */
  @Operation({ side: 'admin', gn: 'rwcs', auth: 'admin', input: TaskInput, audit: 'tasks.audit_retry', rate: 'write' })
  async retry({ id }: TaskInput): Promise<SuccessReply> {
    if (await this.queue.retry(id)) return new SuccessReply('tasks.again');
    throw new MonitorError((await this.queue.find(id)) ? 'TASK_NOT_AGAIN' : 'TASK_MISSING');
  }

  private lineOf(task: TaskView, locale: Locale): TaskLine {
    const { timezone } = this.config;
    const { startedAt, endedAt } = task;
    return {
      id: task.id,
      mc: taskTitle(task.name, locale),
      zt: shownState(task),
      jd: task.progress ? JSON.stringify(task.progress) : '',
      cs: String(task.attempts),
      czuser: task.by ?? '',
      date: legacyTime(task.addedAt, timezone),
      xc: task.state === 'waiting' ? legacyTime(task.dueAt, timezone) : '',
      hs: startedAt && endedAt && endedAt >= startedAt ? String(endedAt.getTime() - startedAt.getTime()) : '',
      cw: task.error ? tellFailure(locale, task.error) : '',
    };
  }
}

function shownState({ state, stopping, handled }: TaskView): string {
  if (stopping) return 'stopping';
  return state === 'waiting' && !handled ? 'unhandled' : state;
}
