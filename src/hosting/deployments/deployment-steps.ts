import { Injectable } from '@nestjs/common';

import { legacyTime, OutboundHttp } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import type { FilesPort } from '../driver/index.js';
import { AccountSpace, FileError, fileError, pathIn } from '../files/index.js';
import { DatabaseBackups, databaseOf, driverTurn, hasDatabase } from '../site-programs/index.js';
import { DatabasePasswords, type OpenSite, type PortCall } from '../site-tools/index.js';

import { describeFailure, DeployError } from './deploy-errors.js';
import { DeploymentServing } from './deployment-serving.js';
import { DATABASE_PLACEHOLDERS, fillPlaceholders } from './placeholders.js';
import type { ProgramPlan } from './program-plan.js';
import { databaseUse, type ProgramStep, type StepKind } from './program-steps.js';

/** Site, values and task that an installation step works with. */
export interface StepContext {
  readonly site: OpenSite;
  /** Placeholder values by name in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** Domain names of the site. */
  readonly names: readonly string[];
  readonly turn: TaskTurn;
}

type StepHandler = (step: ProgramStep, context: StepContext) => Promise<void>;

/** Timeout of a request to the site, in milliseconds. */
const ANSWER_MS = 60_000;
const MAX_ANSWER_BYTES = 1_048_576;

/** Runs the steps of an installation. Their handlers are a fixed table, never looked up by a name from outside. */
@Injectable()
export class DeploymentSteps {
  private readonly handlers: Readonly<Record<StepKind, StepHandler>> = {
    xjwj: async (step, context) => this.write(context, pathOf(step), ''),
    xjwjj: async (step, context) => this.ask(context, (files, account) => files.makeFolder(account, pathOf(step), context.turn.signal)),
    delwj: (step, context) => this.remove(context, pathOf(step)),
    delwjj: (step, context) => this.remove(context, pathOf(step)),
    setwj: (step, context) => this.write(context, pathOf(step), fillPlaceholders(step.nr!, context.values)),
    drsql: (step, { site, turn }) => this.databases.run(site, pathOf(step), driverTurn(turn)),
    cxname: async ({ lj, jne, xne }, context) =>
      this.ask(context, (files, account) => files.rename(account, lj!, jne!, xne!, context.turn.signal)),
    gettj: (step, context) => this.visit(step, context),
    setyxml: ({ lj }, { site }) => this.serving.showFolder(site, lj!.slice(1)),
    setwjt: ({ nr }, { site, values }) => this.serving.useRules(site, fillPlaceholders(nr!, values).replace(/\r\n?/g, '\n')),
    setphp: ({ php }, { site }) => this.serving.usePhp(site, php!),
  };

  constructor(
    private readonly space: AccountSpace,
    private readonly serving: DeploymentServing,
    private readonly databases: DatabaseBackups,
    private readonly outbound: OutboundHttp,
  ) {}

  /** Runs a step. @throws FileError, ProgramError, WebSettingError, HostingError, DeployError ADDRESS, ADDRESS_ANSWER */
  run(step: ProgramStep, context: StepContext): Promise<void> {
    return this.handlers[step.cz](step, context);
  }

  private async write(context: StepContext, path: string, text: string): Promise<void> {
    const { site, turn } = context;
    const bytes = Buffer.from(text);
    const space = this.space.of(site.account.id);
    const put = (isNew: boolean) =>
      this.ask(context, (files, account) => files.write(account, { path, bytes, isNew }, space, turn.signal)).then(() => undefined);
    await put(true).catch((error: unknown) => {
      if (error instanceof FileError && error.code === 'TAKEN') return put(false);
      throw error;
    });
  }

  private async remove(context: StepContext, path: string): Promise<void> {
    await this.ask(context, (files, account) => files.discard(account, [path], context.turn.signal));
  }

  /** Requests a URL of the site itself, such as a program's installer; other hosts are not allowed. */
  private async visit({ url, get }: ProgramStep, { values, names }: StepContext): Promise<void> {
    const query = fillPlaceholders(get!, values, encodeURIComponent);
    const text = `http://${fillPlaceholders(url!, values)}`;
    const target = URL.canParse(text) ? new URL(text) : null;
    const isOwn = target !== null && target.username === '' && target.password === '' && names.includes(target.hostname);
    if (!isOwn) throw new DeployError('ADDRESS', { name: target?.hostname.slice(0, 100) ?? '' });
    target.search = query;
    const answer = await this.outbound.request({ url: target.href, timeoutMs: ANSWER_MS, maxBytes: MAX_ANSWER_BYTES });
    const words = describeFailure(answer, { seconds: ANSWER_MS / 1_000, mb: MAX_ANSWER_BYTES / 1_048_576 });
    if (!answer.ok) throw new DeployError('ADDRESS_ANSWER', { name: target.host, answer: words });
  }

  private ask<Value>({ site, turn }: StepContext, call: PortCall<FilesPort, Value>): Promise<Value> {
    return site.ask('files', call, fileError, turn.signal);
  }
}

/** Provides the values of the placeholders available to every program. */
@Injectable()
export class CommonPlaceholders {
  constructor(
    private readonly passwords: DatabasePasswords,
    private readonly clock: ZonedClock,
  ) {}

  /** @throws HostingError DATABASE_NONE when the program needs a database, and errors of the database server */
  async of(site: OpenSite, { steps, message }: ProgramPlan): Promise<Map<string, string>> {
    const values = new Map([['cn_date', legacyTime(this.clock.now(), this.clock.timezone)]]);
    const use = databaseUse(steps, message);
    if (!use.isNamed) return values;
    if (!use.isNeeded && !(await hasDatabase(site))) {
      for (const name of DATABASE_PLACEHOLDERS) values.set(name, '');
      return values;
    }
    const { name, username, host, port } = await databaseOf(site);
    const password = use.hasPassword ? await this.passwordOf(site) : '';
    const known = { cn_host: host, cn_port: String(port), cn_user: username, cn_name: name, cn_pass: password };
    for (const [placeholder, value] of Object.entries(known)) values.set(placeholder, value);
    return values;
  }

  /**
   * Returns the known password of the database, or sets a new one: the configuration that had the old one is replaced with the site's
   * files.
   */
  private async passwordOf(site: OpenSite): Promise<string> {
    return (await this.passwords.find(site.account.id))?.password ?? this.passwords.change(site, '');
  }
}

const pathOf = ({ ml, name }: ProgramStep): string => pathIn(ml!, name!);
