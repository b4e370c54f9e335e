import { Injectable } from '@nestjs/common';

import { AppError, translate, type Locale, type TextRef, takeChanges } from '../../common/index.js';
import { checkVersion } from '../../http/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';
import type { CallContext, HostQuota, HostRecord } from '../../sdk/index.js';
import { type AccountGuard, checkHostPassword } from '../accounts/index.js';
import { HostingError } from '../hosting-errors.js';
import { HostingService } from '../hosting.service.js';
import { DatabasePasswords, SiteAccess } from '../site-tools/index.js';
import { hostForm } from '../wire/index.js';

import { ADMIN_REASON } from './admin-reason.js';
import { PartlyDone } from './host-errors.js';

/** Changes of a host by an administrator; undefined values stay unchanged. */
export interface HostChanges {
  readonly quota: HostQuota;
  /** Last day; null: never expires. */
  readonly expiresOn?: string | null;
  readonly password?: string;
  /** Database password, on a server with one database per site. */
  readonly databasePassword?: string;
  /** Address for notices; null: none. */
  readonly email?: string | null;
  /** false pauses a running host, true ends the administrators' pause. */
  readonly running?: boolean;
  /** Version of the edited form; see {@link checkVersion}. */
  readonly version?: string;
}

/** Result of an edit of a host. */
export interface HostEdited {
  readonly host: HostRecord;
  /** Completed steps: `quota`, `expiry`, `password`, `database`, `email`, `state`. */
  readonly changed: readonly EditStep[];
}

/** One step of an edit. */
export type EditStep = 'quota' | 'expiry' | 'password' | 'database' | 'email' | 'state';

/** The form field that shows a step's failure. */
const FIELDS: Readonly<Record<EditStep, string>> = {
  quota: 'webkj',
  expiry: 'datar',
  password: 'pass',
  database: 'sqlpass',
  email: 'mailuser',
  state: 'kg',
};

/** Form fields set by each step. */
const STEP_FIELDS: Readonly<Record<EditStep, readonly string[]>> = {
  quota: ['webkj', 'sqlkj', 'llmax', 'ymbds', 'jk_max', 'bf_max'],
  expiry: ['datar'],
  password: ['pass'],
  database: [],
  email: ['mailuser'],
  state: [],
};

type RunStep = (guard: AccountGuard) => Promise<HostRecord>;

/** Changes several properties of a host, one server call after another; each is stored in the panel before the next call. */
@Injectable()
export class HostEdit {
  constructor(
    private readonly hosting: HostingService,
    private readonly sites: SiteAccess,
    private readonly databasePasswords: DatabasePasswords,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @param locale language of the texts of {@link PartlyDone}
   * @throws HostingError, StaleForm if nothing was changed; PartlyDone, after an entry in the operation log, if something was
   */
  async edit(id: number, wanted: HostChanges, call: CallContext, locale: Locale): Promise<HostEdited> {
    if (wanted.password !== undefined) checkHostPassword(wanted.password);
    const before = await this.hosting.get(id);
    if (!before) throw new HostingError('ACCOUNT_NOT_FOUND');
    let host = before;
    const changed: EditStep[] = [];
    for (const [step, run] of this.stepsOf(before, wanted)) {
      // Completed steps have changed the host, so from the second one on only the step's own fields are compared with the form.
      const only = changed.length > 0 ? STEP_FIELDS[step] : undefined;
      const guard: AccountGuard = (account) => checkVersion(wanted.version, hostForm(account), only);
      try {
        const after = await run(guard);
        if (step !== 'state' || after.pauseReasons.length !== host.pauseReasons.length) changed.push(step);
        host = after;
      } catch (error) {
        if (changed.length === 0) throw error;
        await this.logPart(before, changed, step, call);
        throw error instanceof AppError ? partlyDone(changed, step, error, locale) : error;
      }
    }
    return { host, changed };
  }

  /** Returns the steps that change a value, in order. A pause comes last, so that the other steps run on an unpaused host. */
  private stepsOf(host: HostRecord, wanted: HostChanges): [EditStep, RunStep][] {
    const { quota, expiresOn, password, databasePassword, email, running } = wanted;
    const steps: [EditStep, RunStep][] = [];
    const { id } = host;
    if (Object.entries(quota).some(([name, value]) => value !== undefined && host[name as keyof HostQuota] !== value)) {
      steps.push(['quota', (guard) => this.hosting.setQuota(id, quota, 'admin', guard)]);
    }
    if (expiresOn !== undefined && expiresOn !== host.expiresOn)
      steps.push(['expiry', (guard) => this.hosting.renew(id, expiresOn, 'admin', guard)]);
    if (password !== undefined) steps.push(['password', (guard) => this.hosting.changePassword(id, password, undefined, guard)]);
    if (databasePassword !== undefined) steps.push(['database', () => this.setDatabasePassword(host, databasePassword)]);
    if (email !== undefined) steps.push(['email', (guard) => this.hosting.setEmail(id, email, guard)]);
    if (running === false && host.status === 'active') steps.push(['state', () => this.hosting.pause(id, ADMIN_REASON, 'admin')]);
    // Only the administrators' pause is ended; other pause reasons stay, which is no error.
    if (running === true && host.status === 'paused') steps.push(['state', () => this.hosting.unpause(id, ADMIN_REASON, 'admin')]);
    return steps;
  }

  private async setDatabasePassword({ id }: HostRecord, password: string): Promise<HostRecord> {
    await this.databasePasswords.change(await this.sites.ofHost(id), password);
    const after = await this.hosting.get(id);
    if (!after) throw new HostingError('ACCOUNT_NOT_FOUND');
    return after;
  }

  /** The pipeline logs complete changes; this logs partial ones. */
  private logPart(host: HostRecord, done: readonly EditStep[], failed: EditStep, call: CallContext): Promise<void> {
    const text = { key: 'hosting.audit_edit_partly', params: { user: host.user, done: textsOf(done), failed: textsOf([failed]) } };
    return this.audit.write({
      actor: call.admin?.username ?? '-',
      category: 'zjxgjl',
      summary: translate(AUDIT_LOCALE, text.key, text.params),
      text,
      ip: call.ip,
      outcome: 'failed',
      changes: takeChanges(call),
    });
  }
}

function partlyDone(done: readonly EditStep[], failed: EditStep, error: AppError, locale: Locale): PartlyDone {
  const reason = { key: error.shape.text, params: error.params };
  return new PartlyDone(
    error,
    { done: textsOf(done), failed: textsOf([failed]), reason },
    { [FIELDS[failed]]: translate(locale, reason.key, reason.params) },
  );
}

/** Returns the texts of steps for display. */
export function textsOf(steps: readonly EditStep[]): TextRef[] {
  return steps.map((step) => ({ key: `hosting.step_${step}` }));
}
