import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What a panel for tests is started with. */
export interface TestPanelOptions {
  /** Folder of the panel, built; without it that of `SVC_PANEL`, else the checkout this package belongs to. */
  panel?: string;
  /**
   * A server such as `mysql://root@127.0.0.1:3306`, on which a database is made and taken away again; without
   * it SQLite in a temporary folder.
   */
  database?: string;
  /** Variables of the panel's configuration in place of the usual ones. */
  env?: Readonly<Record<string, string>>;
}

/** What an operation answered: what it says itself stands beside these. */
export interface TestAnswer {
  success?: boolean;
  /** The text for people. */
  code: string;
  [field: string]: unknown;
}

/** Somebody who calls the panel. */
export interface TestVisitor {
  /** Redirects are answers, and not followed. */
  get(path: string): Promise<Response>;
  /** A form. */
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<Response>;
  /** An operation of the visitor's side. */
  run(gn: string, fields?: Readonly<Record<string, string>>): Promise<TestAnswer>;
}

/** A hosting account, whose owner can sign in. */
export interface TestHost {
  readonly id: number;
  readonly user: string;
  readonly password: string;
}

/** An order. */
export interface TestOrder {
  readonly id: number;
  readonly ddh: string;
}

/** The time of the panel. It goes on by itself until it is set, and stands still from then on. */
export interface TestClock {
  now(): Date;
  set(moment: Date): void;
  advance(milliseconds: number): void;
  /** Runs what is due in the present minute: jobs, and the hook `cron`. */
  minute(): Promise<void>;
}

/** A panel in the test's own process, on data of its own. */
export interface TestPanel {
  readonly url: string;
  readonly dataDir: string;
  readonly clock: TestClock;
  /** Puts the package of a project's folder into the panel and enables it. @returns its slug. @throws Error with the panel's reason */
  installPlugin(folder: string): Promise<string>;
  /** The administrator, nobody in particular, or the owner of a host; signed in. */
  as(who: 'admin' | 'nobody' | TestHost): Promise<TestVisitor>;
  /** Opens a hosting account on this machine's own server. */
  host(fields?: Readonly<Record<string, string>>): Promise<TestHost>;
  /** Makes an unpaid order. @param fields in place of the usual ones: `user` `scene` `name` `rmb` (figures such as `9.90`) */
  order(fields?: Readonly<Record<string, string>>): Promise<TestOrder>;
  /** Marks an order as paid, so that `order.paid` follows. */
  pay(order: TestOrder): Promise<void>;
  /**
   * Switches a plugin on and off again many times.
   *
   * @param cycles 100 where nothing is given.
   * @throws Error that names what it left behind
   */
  expectNoTrace(slug: string, cycles?: number): Promise<void>;
  /** Ends the panel and takes its data away. */
  close(): Promise<void>;
}

const PROGRAM = 'dist/src/cli/test-panel.js';

/**
 * Starts a panel in this process, on a temporary SQLite or a given server. What it logs is left out unless `LOG_LEVEL` says otherwise.
 *
 * @throws Error where there is no panel, or it is not built
 *
 * @example
 * ```ts
 * const panel = await startTestPanel();
 * await panel.installPlugin('.');
 * const answer = await (await panel.as('nobody')).get('/coupons');
 * await panel.close();
 * ```
 */
export async function startTestPanel(options: TestPanelOptions = {}): Promise<TestPanel> {
  const given = options.panel ?? (process.env.SVC_PANEL || undefined);
  const folder = given ?? fileURLToPath(new URL('../..', import.meta.url));
  const program = join(folder, PROGRAM);
  if (!existsSync(program))
    throw new Error(
      given === undefined
        ? 'There is no built panel beside @svc/sdk. Run npm ci and npm run build in a checkout of the panel, and name ' +
            'its folder in SVC_PANEL.'
        : `${folder} is no panel that was built: it has no ${PROGRAM}. Run npm ci and npm run build there.`,
    );
  process.env.LOG_LEVEL ??= 'fatal';
  const { startTestPanel: start } = (await import(pathToFileURL(program).href)) as {
    startTestPanel(options: TestPanelOptions): Promise<TestPanel>;
  };
  return start(options);
}
