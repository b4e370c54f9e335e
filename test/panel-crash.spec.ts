/** The panel killed during every action it requests from an agent: each is done or undone, and nobody waits forever. */
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { In, IsNull, MoreThan, Not } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AgentNode, NodeBody, NodeTask } from '../src/agents/index.js';
import { ACTIONS, type ActionName } from '../src/agents/wire/actions.js';
import { BinnedSite, HostingAccount, HostingNode, SiteBackup } from '../src/hosting/index.js';
import { JobRun, Task } from '../src/jobs/index.js';
import { FAKE_S3, FakeS3 } from '../src/store/packages/testing/fake-s3.js';

import type { PanelCase, PanelCaseAt, PanelEntry } from './support/action-cases/panel-case.js';
import { COMPARISON, PANEL_CASES } from './support/action-cases/panel-cases.js';
import type { Answer } from './support/agent-rig.js';
import { FakeServer, joinFakeServer } from './support/agent-server.js';
import { CrashPlace } from './support/crash-place.js';
import type { FakeAgent } from './support/fake-agent.js';
import { MOVE_STEPS } from './support/move-steps.js';
import { PanelClient } from './support/panel-client.js';
import { ServerProcess } from './support/server-process.js';

const NAMES = Object.keys(ACTIONS) as ActionName[];
const CODE = 'crashing';
const OTHER = 'beside';
const PASS = 'secret-pass-11';
const PAST = new Date('2020-01-01T00:00:00Z');
const ALL = process.env.MOMENTS === 'all';
/** The agent has it and has done nothing; has done it and not reported; has just reported. */
const MOMENTS = ['begun', 'done', 'told'] as const;
type Moment = (typeof MOMENTS)[number];

/** A case, and the action it leads to. */
interface Drawn {
  readonly action: ActionName;
  readonly one: PanelCase;
}

/** The same, with its host. */
interface Tried extends Drawn {
  readonly at: PanelCaseAt;
}

/** One of the two servers, as known to the panel. */
type Spot = Pick<PanelCaseAt, 'server' | 'code' | 'serverId' | 'agentId' | 'other'>;

const isTried = (entry: PanelEntry): entry is PanelCase => 'ask' in entry;

it('every action of the table is tested, here or elsewhere, or is never requested', () => {
  expect(Object.keys(PANEL_CASES).sort()).toEqual([...NAMES].sort());
  const moved = NAMES.filter((name) => 'elsewhere' in PANEL_CASES[name]);
  expect(moved.filter((name) => !MOVE_STEPS.some(([, action]) => action === name))).toEqual([]);
  const source = ['driver', 'logs'].flatMap((folder) => {
    const path = join('src/agents', folder);
    return readdirSync(path).map((file) => readFileSync(join(path, file), 'utf8'));
  });
  const asked = NAMES.filter((name) => 'never' in PANEL_CASES[name] && source.some((text) => text.includes(`'${name}'`)));
  expect(asked).toEqual([]);
});

describe('a panel that is killed', () => {
  const server = new FakeServer();
  const other = new FakeServer();
  const bucket = new FakeS3();
  let place: CrashPlace;
  let panel: ServerProcess;
  let env: Record<string, string>;
  const agents: FakeAgent[] = [];
  let admin: PanelClient;
  let main: Spot;
  /** Servers are compared host by host, in the order they were opened: this one has only the hosts under test. */
  let compared: Spot;

  beforeAll(async () => {
    env = {
      RATE_LIMIT: 'off',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      BACKUP_S3_ENDPOINT: await bucket.start(),
      BACKUP_S3_BUCKET: FAKE_S3.bucket,
      BACKUP_S3_REGION: FAKE_S3.region,
      BACKUP_S3_ACCESS_KEY: FAKE_S3.accessKeyId,
      BACKUP_S3_SECRET_KEY: FAKE_S3.secretAccessKey,
      BACKUP_S3_PART_MB: '5',
    };
    place = await CrashPlace.create(env);
    ({ panel } = await place.start());
    admin = await new PanelClient(panel.url).login('admin', 'admin', 'svc-panel-admin');
    agents.push(await joinFakeServer(place.database, () => panel.url, CODE, server));
    agents.push(await joinFakeServer(place.database, () => panel.url, OTHER, other));
    main = { server, code: CODE, other: OTHER, ...(await idsOf(CODE)) };
    compared = { server: other, code: OTHER, other: CODE, ...(await idsOf(OTHER)) };
    await call('sitebackup_set', { bf_max: '5' });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(agents.map((agent) => agent.stopNow()));
    await panel?.stop('SIGKILL');
    await place?.dispose();
    await bucket.stop();
    server.dispose();
    other.dispose();
  });

  async function idsOf(code: string): Promise<{ serverId: string; agentId: string }> {
    const { id } = await place.database.repository(HostingNode).findOneByOrFail({ code });
    const node = await place.database.repository(AgentNode).findOneByOrFail({ hostingNodeId: id });
    // Otherwise opening a host first asks the server for its versions.
    await place.database.repository(HostingNode).update({ id }, { defaultPhp: '82' });
    return { serverId: String(id), agentId: String(node.id) };
  }

  async function call(gn: string, fields: Record<string, string> = {}): Promise<Answer> {
    const { text } = await admin.ajax('admin', { gn, ...fields }, { 'Accept-Language': 'en' });
    // A file is received as it is.
    return (text.startsWith('{') ? JSON.parse(text) : { success: true, text }) as Answer;
  }
  async function must(gn: string, fields: Record<string, string> = {}): Promise<Answer> {
    const answer = await call(gn, fields);
    if (answer.success === true || answer.qk === 1 || Array.isArray(answer.rows) || answer.code === 1) return answer;
    throw new Error(`${gn} ${JSON.stringify(fields)}: ${JSON.stringify(answer)}`);
  }

  const hostOf = (user: string, btdh: string) => ({ user, pass: PASS, btdh, webkj: '200', sqlkj: '50', ymbds: '5' });

  /** The context of a case. */
  function at(user: string, spot: Spot = main): PanelCaseAt {
    const { server: where, code } = spot;
    const rows = () => place.database.repository(HostingAccount).findBy({ userKey: user });
    const own = async (fields: Record<string, string>): Promise<Record<string, string>> => {
      const [row] = 'id' in fields || user === '' ? [] : await rows();
      return { ...(row ? { id: String(row.id) } : {}), ...fields };
    };
    const file = async (path: string): Promise<string> => join(where.dataDir, 'sites', (await rows())[0]!.siteName, 'public', path);
    return {
      ...{ ...spot, user, database: place.database, memo: {}, rows },
      call: async (gn, fields = {}) => call(gn, await own(fields)),
      must: async (gn, fields = {}) => must(gn, await own(fields)),
      open: (name) => call('addzj', hostOf(name, code)),
      kept: async () => where.noteOf((await rows())[0]!.siteName)!,
      text: async (path) => (existsSync(await file(path)) ? readFileSync(await file(path), 'utf8') : null),
      put: async (path, content) => {
        mkdirSync(dirname(await file(path)), { recursive: true });
        writeFileSync(await file(path), content);
      },
      upload: async (name, content, from, to) => {
        const body = new FormData();
        const fields = { gn: 'fileupload', htl: '/', tempfilename: name, zsize: String(content.length), fesw: String(from) };
        for (const [key, value] of Object.entries(await own(fields))) body.append(key, value);
        body.append('file', new Blob([content.slice(from, to)]), 'blob');
        return (await admin.send('/admin/ajax.php', { method: 'POST', body })).json as Answer;
      },
      download: async (answer) => {
        const { status, text } = await admin.send(String(answer.url ?? answer.data?.url));
        if (status !== 200) throw new Error(`The download answered ${status}: ${text}`);
        return text;
      },
    };
  }

  /** Kills the panel and starts it again in place; its claims are free, as after they expire. */
  async function restart(): Promise<void> {
    const { port, sitesPort } = panel;
    await panel.stop('SIGKILL');
    await place.endClaims();
    await place.database.repository(BinnedSite).update({ claimedUntil: Not(IsNull()) }, { claimedUntil: PAST });
    panel = await ServerProcess.start(place.place, env, [port, sitesPort]);
    await panel.ready();
  }

  /** Stops the agent at a moment of each action, until it is released. */
  async function hold(tried: readonly Tried[], moment: Moment): Promise<{ readonly reached: () => Set<string>; letGo: () => void }> {
    // For a deleted host, the server gets only the name of its site.
    const waiting = new Set<string>();
    for (const { action, at: place_ } of tried)
      for (const name of [place_.user, ...(await place_.rows()).map(({ siteName }) => siteName)]) waiting.add(`${action} ${name}`);
    const reached = new Set<string>();
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const stand = (isDone: boolean) => (action: ActionName, user: string) => {
      const key = `${action} ${user}`;
      // A repeated request belongs to another caller.
      if ((moment !== 'begun') !== isDone || !waiting.delete(key)) return Promise.resolve();
      reached.add(action);
      return gate;
    };
    for (const one of [server, other]) Object.assign(one, { seen: stand(false), done: stand(true) });
    return { reached: () => reached, letGo };
  }

  /** Nothing is in progress, claimed, or secret any more. */
  async function isQuiet(): Promise<Record<string, unknown>> {
    const { database } = place;
    const accounts = await database.repository(HostingAccount).find();
    const backups = await database.repository(SiteBackup).find();
    return {
      tasks: await database.repository(NodeTask).countBy({ status: In(['pending', 'running']) }),
      secrets: await database.repository(NodeTask).countBy({ sealed: Not(IsNull()) }),
      bodies: await database.repository(NodeBody).count(),
      background: (await database.repository(Task).findBy({ state: In(['running', 'waiting']) }))
        .filter(({ dueAt }) => dueAt.getTime() < Date.now())
        .map(({ name }) => name),
      jobs: await database.repository(JobRun).countBy({ running: Not(IsNull()) }),
      hosts: accounts.filter(({ state }) => state !== 'active' && state !== 'paused').map(({ username, state }) => `${username} ${state}`),
      claims: accounts.filter(({ claimedBy }) => claimedBy !== null).map(({ username }) => username),
      binned: await database.repository(BinnedSite).countBy({ claimedUntil: MoreThan(new Date()) }),
      backups: backups.filter(({ busy }) => busy !== null).map(({ state }) => state),
    };
  }
  const QUIET = { tasks: 0, secrets: 0, bodies: 0, background: [], jobs: 0, hosts: [], claims: [], binned: 0, backups: [] };

  /** Returns the cases of each round: every case once at a random moment; with `MOMENTS=all` once at each moment. */
  function drawn(): { readonly moment: Moment; readonly round: readonly Drawn[] }[] {
    const cases = NAMES.flatMap((action) => {
      const one = PANEL_CASES[action];
      return isTried(one) ? [{ action, one }] : [];
    });
    const free = cases.filter(({ one }) => one.lane === undefined);
    // A round has one case of each lane, because the panel runs these one after another.
    const lanes = [...new Set(cases.map(({ one }) => one.lane))].flatMap((lane) =>
      lane === undefined ? [] : [cases.filter(({ one }) => one.lane === lane)],
    );
    if (ALL)
      return MOMENTS.flatMap((moment) =>
        Array.from({ length: Math.max(...lanes.map(({ length }) => length)) }, (_, nth) => ({
          moment,
          round: [...(nth === 0 ? free : []), ...lanes.flatMap((lane) => lane[nth] ?? [])].filter(
            ({ one }) => one.only === undefined || one.only === moment,
          ),
        })),
      );
    const some = [...free, ...lanes.map((lane) => lane[randomInt(lane.length)]!)].map((one) => ({
      one,
      moment: one.one.only ?? MOMENTS[randomInt(MOMENTS.length)]!,
    }));
    return MOMENTS.map((moment) => ({ moment, round: some.filter((found) => found.moment === moment).map(({ one }) => one) }));
  }

  it.each(drawn().map(({ moment, round }, nth) => [moment, nth, round] as const))(
    'while agents have %s the requested action (%i): it is done or undone, once, and can be requested again',
    { timeout: 240_000 },
    async (moment, nth, drawnCases) => {
      const round: Tried[] = drawnCases.map(({ action, one }) => {
        const spot = one.lane === COMPARISON ? compared : main;
        return { action, one, at: at(one.host && `${moment}${nth}-${one.host}`, spot) };
      });
      const others = at(`${moment}${nth}-bystander`);
      const there = round.filter(({ one }) => one.host !== '' && !one.isNew).map(({ at: { user, code } }) => [user, code] as const);
      for (const [user, code] of new Map([[others.user, CODE], ...there])) await must('addzj', hostOf(user, code));
      await others.put('page.html', 'as it was');
      for (const { one, at: place_ } of round) {
        if (one.host === 'reader') await place_.put('read.txt', 'read');
        await one.before?.(place_);
      }

      const { reached, letGo } = await hold(round, moment);
      const answers = new Map<ActionName, unknown>();
      const asked = round.map(async ({ action, one, at: place_ }) => answers.set(action, await one.ask(place_).catch(String)));
      const notReached = (): unknown[] =>
        round.flatMap(({ action }) => (reached().has(action) ? [] : [[action, answers.get(action) ?? 'not answered yet']]));
      try {
        await expect.poll(notReached, { timeout: 30_000, interval: 20 }).toEqual([]);
        if (moment === 'told') {
          letGo();
          await pause(randomInt(40));
        }
        await restart();
      } finally {
        letGo();
        for (const one of [server, other]) Object.assign(one, { seen: null, done: null });
      }
      await Promise.all(asked);
      // Unrelated requests are served immediately.
      expect(await others.must('listfile')).toMatchObject({ total: expect.anything() as unknown });
      expect(await others.text('page.html')).toBe('as it was');

      await expect.poll(isQuiet, { timeout: 60_000, interval: 200 }).toEqual(QUIET);
      for (const tried of round) {
        const { action, one, at: place_ } = tried;
        if (!one.state) {
          expect([action, await one.ask(place_).then(() => 'answered')]).toEqual([action, 'answered']);
          continue;
        }
        let said: unknown = 'nothing was asked again';
        await expect
          .poll(
            async () => {
              const state = await one.state!(place_).catch(String);
              if (JSON.stringify(state) === JSON.stringify(one.wanted)) return [action, state];
              said = await one.ask(place_).catch(String);
              return [action, await one.state!(place_).catch(String), JSON.stringify(said).slice(0, 300)];
            },
            { timeout: 20_000, interval: 300 },
          )
          .toEqual([action, one.wanted]);
      }
      await expect.poll(isQuiet, { timeout: 60_000, interval: 200 }).toEqual(QUIET);
    },
  );
});
