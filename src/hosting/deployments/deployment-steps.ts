import { Injectable } from '@nestjs/common';

import { Clock, legacyTime, OutboundHttp } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { TaskTurn } from '../../jobs/index.js';
import type { FilesPort } from '../driver/index.js';
import { AccountSpace, FileError, fileError, pathIn } from '../files/index.js';
import { DatabaseBackups, databaseOf, driverTurn, hasDatabase } from '../site-programs/index.js';
import { DatabasePasswords, type OpenSite, type PortCall } from '../site-tools/index.js';

import { answerWords, DeployError } from './deploy-errors.js';
import { DeploymentServing } from './deployment-serving.js';
import { DATABASE_PLACES, fillPlaces } from './placeholders.js';
import type { ProgramPlan } from './program-plan.js';
import { databaseUse, type ProgramStep, type StepKind } from './program-steps.js';

/** Site, values and task that an installation step works with. */
export interface StepPlace {
  readonly site: OpenSite;
  /** For placeholders, by name in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** Names of the site. */
  readonly names: readonly string[];
  readonly turn: TaskTurn;
}

type StepHandler = (step: ProgramStep, place: StepPlace) => Promise<void>;

/** How long an address of the site may take to answer. */
const ANSWER_MS = 60_000;
const MOST_ANSWER_BYTES = 1_048_576;

/** Steps on the files of a site, and the table of every kind of step: from a closed list, never by a name that came from outside. */
@Injectable()
export class DeploymentSteps {
  private readonly handlers: Readonly<Record<StepKind, StepHandler>> = {
    xjwj: async (step, place) => this.write(place, pathOf(step), ''),
    xjwjj: async (step, place) => this.ask(place, (files, account) => files.makeFolder(account, pathOf(step), place.turn.signal)),
    delwj: (step, place) => this.remove(place, pathOf(step)),
    delwjj: (step, place) => this.remove(place, pathOf(step)),
    setwj: (step, place) => this.write(place, pathOf(step), fillPlaces(step.nr!, place.values)),
    drsql: (step, { site, turn }) => this.databases.run(site, pathOf(step), driverTurn(turn)),
    cxname: async ({ lj, jne, xne }, place) =>
      this.ask(place, (files, account) => files.rename(account, lj!, jne!, xne!, place.turn.signal)),
    gettj: (step, place) => this.visit(step, place),
    setyxml: ({ lj }, { site }) => this.serving.showFolder(site, lj!.slice(1)),
    setwjt: ({ nr }, { site, values }) => this.serving.useRules(site, fillPlaces(nr!, values).replace(/\r\n?/g, '\n')),
    setphp: ({ php }, { site }) => this.serving.usePhp(site, php!),
  };

  constructor(
    private readonly space: AccountSpace,
    private readonly serving: DeploymentServing,
    private readonly databases: DatabaseBackups,
    private readonly outbound: OutboundHttp,
  ) {}

  /** Runs one. @throws FileError, ProgramError, WebSettingError, HostingError, DeployError ADDRESS, ADDRESS_ANSWER */
  run(step: ProgramStep, place: StepPlace): Promise<void> {
    return this.handlers[step.cz](step, place);
  }

  private async write(place: StepPlace, path: string, text: string): Promise<void> {
    const { site, turn } = place;
    const bytes = Buffer.from(text);
    const space = this.space.of(site.account.id);
    const put = (isNew: boolean) =>
      this.ask(place, (files, account) => files.write(account, { path, bytes, isNew }, space, turn.signal)).then(() => undefined);
    await put(true).catch((error: unknown) => {
      if (error instanceof FileError && error.code === 'TAKEN') return put(false);
      throw error;
    });
  }

  private async remove(place: StepPlace, path: string): Promise<void> {
    await this.ask(place, (files, account) => files.discard(account, [path], place.turn.signal));
  }

  /** Asks an address of the site itself, as an installer of a program is run; nothing else can be asked. */
  private async visit({ url, get }: ProgramStep, { values, names }: StepPlace): Promise<void> {
    const query = fillPlaces(get!, values, encodeURIComponent);
    const text = `http://${fillPlaces(url!, values)}`;
    const target = URL.canParse(text) ? new URL(text) : null;
    const isOwn = target !== null && target.username === '' && target.password === '' && names.includes(target.hostname);
    if (!isOwn) throw new DeployError('ADDRESS', { name: target?.hostname.slice(0, 100) ?? '' });
    target.search = query;
    const answer = await this.outbound.request({ url: target.href, timeoutMs: ANSWER_MS, maxBytes: MOST_ANSWER_BYTES });
    const words = answerWords(answer, { seconds: ANSWER_MS / 1_000, mb: MOST_ANSWER_BYTES / 1_048_576 });
    if (!answer.ok) throw new DeployError('ADDRESS_ANSWER', { name: target.host, answer: words });
  }

  private ask<Value>({ site, turn }: StepPlace, call: PortCall<FilesPort, Value>): Promise<Value> {
    return site.ask('files', call, fileError, turn.signal);
  }
}

/** Fills the placeholders every program has. */
@Injectable()
export class KnownPlaces {
  constructor(
    private readonly passwords: DatabasePasswords,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** @throws HostingError DATABASE_NONE where it does not do without, and what the server of the database comes to */
  async of(site: OpenSite, { steps, message }: ProgramPlan): Promise<Map<string, string>> {
    const values = new Map([['cn_date', legacyTime(this.clock.now(), this.config.timezone)]]);
    const use = databaseUse(steps, message);
    if (!use.isNamed) return values;
    if (!use.isNeeded && !(await hasDatabase(site))) {
      for (const place of DATABASE_PLACES) values.set(place, '');
      return values;
    }
    const { name, username, host, port } = await databaseOf(site);
    const password = use.hasPassword ? await this.passwordOf(site) : '';
    const known = { cn_host: host, cn_port: String(port), cn_user: username, cn_name: name, cn_pass: password };
    for (const [place, value] of Object.entries(known)) values.set(place, value);
    return values;
  }

  /** The password of the database: the one that is known, else a new one. What had it written down is replaced with the site's files. */
  private async passwordOf(site: OpenSite): Promise<string> {
    return (await this.passwords.find(site.account.id))?.password ?? this.passwords.change(site, '');
  }
}

const pathOf = ({ ml, name }: ProgramStep): string => pathIn(ml!, name!);
