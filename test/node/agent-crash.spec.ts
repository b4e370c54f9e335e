import { createHash, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { In, IsNull, Not } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ormOptions } from '../../ormconfig.js';
import { NodeTask } from '../../src/agents/index.js';
import { createDatabase, type Database } from '../../src/database/index.js';
import { BinnedSite, HostingAccount } from '../../src/hosting/index.js';
import { JobRun, Task } from '../../src/jobs/index.js';

import { AgentRig, type Answer, SERVER } from '../support/agent-rig.js';
import { chances } from '../support/chances.js';
import { hasDebianMachine } from '../support/debian-machine.js';
import { someMoments } from '../support/moments.js';
import type { PanelClient } from '../support/panel-client.js';

const PASS = 'Secret-pass-77';
const PAST = new Date('2020-01-01T00:00:00Z');
/** `SEED=… ROUNDS=…`: the same kills at the same moments, as far as two machines behave alike; and more of them. */
const SEED = Number(process.env.SEED ?? randomInt(1_000_000));
const ROUNDS = Number(process.env.ROUNDS ?? 1);
type Victim = 'agent' | 'panel';
const VICTIMS: readonly Victim[] = ['agent', 'panel'];

/** A real panel and a real agent, either of which is killed at random moments of its work. */
describe.skipIf(!hasDebianMachine)(`kill -9 during work (SEED=${SEED})`, () => {
  const chance = chances(SEED);
  let rig: AgentRig;
  let database: Database;

  beforeAll(async () => {
    rig = await AgentRig.start();
    database = createDatabase(ormOptions(rig.place.config));
    await database.dataSource.initialize();
  }, 120_000);
  afterAll(async () => {
    await database?.dataSource.destroy();
    await rig?.dispose();
  });

  /** Starts something, and kills one of the two within this many milliseconds; returns its response, if any. */
  async function interrupted(victim: Victim, withinMs: number, begin: () => Promise<unknown>): Promise<void> {
    const begun = begin().catch(() => undefined);
    await pause(chance() * withinMs);
    if (victim === 'panel') {
      await rig.restartPanel();
    } else {
      await rig.endAgent();
      await rig.startAgent();
    }
    await begun;
    // The dead process's claims are free now, not only when they expire.
    await database.repository(HostingAccount).update({ claimedUntil: Not(IsNull()) }, { claimedUntil: PAST });
    await database.repository(BinnedSite).update({ claimedUntil: Not(IsNull()) }, { claimedUntil: PAST });
    await database.repository(JobRun).update({ running: Not(IsNull()) }, { leaseUntil: PAST });
    await database.repository(Task).update({ state: 'running' }, { dueAt: PAST });
  }

  /** The existing sites: in the panel's rows, and in each location on the server. */
  async function sites(): Promise<Record<string, string[]>> {
    const { machine } = rig;
    const lines = async (command: string): Promise<string[]> =>
      (await machine.must(['sh', '-c', command])).split('\n').filter(Boolean).sort();
    const [hosts, kept] = await Promise.all([database.repository(HostingAccount).find(), database.repository(BinnedSite).find()]);
    return {
      rows: [...hosts, ...kept].map(({ siteId }) => siteId).sort(),
      users: await lines(`grep -oE '^svc[0-9a-f]{8}:' /etc/passwd | tr -d : || true`),
      folders: await lines('ls /srv/svc 2>/dev/null || true'),
      databases: await lines(`mariadb --no-defaults -N -e "SELECT DISTINCT User FROM mysql.global_priv WHERE User LIKE 'svc%'"`),
      schemas: await lines(`mariadb --no-defaults -N -e "SHOW DATABASES LIKE 'svc%'"`),
    };
  }

  /** Both agree in the end, with nothing incomplete or left over. */
  async function agree(count: number): Promise<void> {
    await expect
      .poll(
        async () => {
          const { rows, ...places } = await sites();
          const states = (await database.repository(HostingAccount).find()).map(({ state }) => state);
          const odd = Object.entries(places).filter(([, found]) => found.join() !== rows!.join());
          return { states: [...new Set(states)], count: states.length, odd, rows: odd.length > 0 ? rows : [] };
        },
        { timeout: 60_000, interval: 500 },
      )
      .toEqual({ states: count > 0 ? ['active'] : [], count, odd: [], rows: [] });
  }

  const open = (user: string): Promise<Answer> => rig.must('addzj', { user, pass: PASS, btdh: SERVER, webkj: '200', sqlkj: '50' });
  const hostOf = async (user: string) => (await rig.row('listzj', 'user', user))!;
  const ownerCall = async (owner: PanelClient, gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
    (await owner.ajax('user', { gn, ...fields })).json as Answer;

  /** Rounds with different victims. */
  const cases = (victims: readonly Victim[]) =>
    Array.from({ length: ROUNDS }, (_, round) => victims.map((victim) => [victim, round] as const)).flat();
  // A host is deleted that was opened before.
  const [one] = someMoments([VICTIMS, [...VICTIMS].reverse()]);
  const [ofHosts, ofTheirs] = process.env.MOMENTS === 'all' ? [VICTIMS, VICTIMS] : [[one![0]!], [one![1]!]];

  it.each(cases(ofHosts))(
    'of the %s while a host is opened (%i): it is open, or does not exist',
    { timeout: 120_000 },
    async (victim, round) => {
      const before = await database.repository(HostingAccount).count();
      const user = `crash-${victim}${round}`;
      await interrupted(victim, 900, () => open(user));
      await expect
        .poll(async () => (await database.repository(HostingAccount).findOneBy({ userKey: user }))?.state, { timeout: 60_000 })
        .not.toBe('provisioning');
      // Requested again if it failed: nothing of the first attempt blocks it.
      if (!(await hostOf(user))) await open(user);
      await agree(before + 1);
      const host = await hostOf(user);
      expect((await rig.machine.fetch({ host: host.sqldz! })).status).toBe(200);
    },
  );

  it.each(cases(ofTheirs))(
    'of the %s while a file is uploaded (%i): it continues, and is complete',
    { timeout: 120_000 },
    async (victim, round) => {
      const [account] = await database.repository(HostingAccount).find({ order: { id: 'ASC' }, take: 1 });
      const name = `upload-${victim}${round}.bin`;
      const piece = 256 * 1024;
      const content = Buffer.alloc(6 * piece, `${victim}${round}-`);
      let owner = await rig.owner(account!.username, PASS);
      const upload = async (): Promise<void> => {
        const target = { htl: '/', tempfilename: name, zsize: String(content.length) };
        for (;;) {
          const { size = 0 } = (await ownerCall(owner, 'file_upload_size', { htl: '/', fename: name, size: String(content.length) })) as {
            size?: number;
          };
          const body = new FormData();
          for (const [key, value] of Object.entries({ gn: 'fileupload', ...target, fesw: String(size) })) body.append(key, value);
          body.append('file', new Blob([content.subarray(size, size + piece)]), 'blob');
          const answer = (await owner.send('/user/ajax.php', { method: 'POST', body })).json as Answer;
          if (answer.success !== true) throw new Error(JSON.stringify(answer));
          if (answer.error === 1) return;
        }
      };
      await interrupted(victim, 700, upload);
      owner = await rig.owner(account!.username, PASS);
      const sum = async (): Promise<string> =>
        (await rig.machine.run(['md5sum', `/srv/svc/${account!.siteId}/public/${name}`])).stdout.split(' ')[0]!;
      if ((await sum()) === '') await upload();
      expect(await sum()).toBe(createHash('md5').update(content).digest('hex'));
      const left = await rig.machine.must(['sh', '-c', `find /srv/svc/${account!.siteId} -name 'up-*' -size +0`]);
      expect(left).toBe('');
    },
  );

  it('of the panel while a file is sent to the server: nobody waits long for what is lost', { timeout: 60_000 }, async () => {
    const [account] = await database.repository(HostingAccount).find({ order: { id: 'ASC' }, take: 1 });
    const owner = await rig.owner(account!.username, PASS);
    const agent = (signal: string) => rig.machine.must(['sh', '-c', `kill -${signal} $(pgrep -f 'svc-agent[.]mjs --config')`]);
    const task = () => database.repository(NodeTask).findOne({ where: { action: 'files.write' }, order: { id: 'DESC' } });
    await agent('STOP');
    const saved = ownerCall(owner, 'xjwj', { ml: '/', wjname: 'lost.txt' }).catch(() => undefined);
    await expect.poll(async () => (await task())?.status, { timeout: 20_000 }).toBe('running');
    await rig.restartPanel();
    await agent('CONT');
    await saved;
    await expect.poll(async () => (await task())!.status, { timeout: 12_000 }).toBe('failed');
    expect((await task())!.error).toBe('发起该任务的面板进程已结束，数据随之丢失，任务将失败');
    expect(await rig.machine.must(['sh', '-c', `find /srv/svc/${account!.siteId} -name 'lost*'`])).toBe('');
  });

  it('of the panel while a command is added: adding it again leaves one', { timeout: 60_000 }, async () => {
    const [account] = await database.repository(HostingAccount).find({ order: { id: 'ASC' }, take: 1 });
    let owner = await rig.owner(account!.username, PASS);
    const add = () => ownerCall(owner, 'crontab_save', { ml: 'php job.php', sj: '0 3 * * *' });
    const puts = (more: object = {}) => database.repository(NodeTask).countBy({ action: 'commands.put', ...more });
    const before = await puts();
    const first = add().catch(() => undefined);
    await expect.poll(puts, { timeout: 20_000, interval: 1 }).toBe(before + 1);
    await rig.restartPanel();
    await first;
    owner = await rig.owner(account!.username, PASS);
    expect(await add()).toMatchObject({ success: true });
    await expect.poll(() => puts({ status: In(['pending', 'running']) }), { timeout: 40_000 }).toBe(0);
    expect((await ownerCall(owner, 'crontab_list')).rows).toMatchObject([{ ml: 'php job.php', sj: '0 3 * * *' }]);
  });

  it.each(cases(ofTheirs))(
    'of the %s while a backup is restored (%i): the site is in its current or its previous state',
    { timeout: 180_000 },
    async (victim, round) => {
      const [account] = await database.repository(HostingAccount).find({ order: { id: 'ASC' }, take: 1 });
      let owner = await rig.owner(account!.username, PASS);
      const put = async (text: string): Promise<void> => {
        await ownerCall(owner, 'xjwj', { ml: '/', wjname: 'state.txt' });
        const saved = await ownerCall(owner, 'setwj', { wj: '/state.txt', nr: text });
        if (saved.success !== true) throw new Error(JSON.stringify(saved));
      };
      const backups = async () =>
        (await ownerCall(owner, 'sitebackup_list', { limit: '50' })).rows as unknown as { id: string; zt: string }[];
      await put(`old ${victim}${round}`);
      const made = await ownerCall(owner, 'sitebackup_make');
      expect(made).toMatchObject({ success: true });
      const bf = String(made.bf ?? made.data?.bf);
      await expect.poll(async () => (await backups()).find(({ id }) => id === bf)?.zt, { timeout: 60_000 }).toBe('done');
      await put(`new ${victim}${round}`);
      await interrupted(victim, 1_200, () => ownerCall(owner, 'sitebackup_restore', { bf }));
      owner = await rig.owner(account!.username, PASS);
      await expect
        .poll(async () => (await backups()).filter(({ zt }) => zt === 'restoring' || zt === 'making'), { timeout: 90_000, interval: 500 })
        .toEqual([]);
      const { body } = await rig.machine.fetch({ host: account!.siteName, path: '/state.txt' });
      expect([`old ${victim}${round}`, `new ${victim}${round}`]).toContain(body);
      expect(await rig.machine.must(['sh', '-c', `ls -A /srv/svc/${account!.siteId}`])).not.toMatch(/\b(?:next|old|restoring|part)\b/);
      for (const { id } of await backups()) await ownerCall(owner, 'sitebackup_del', { bf: id });
    },
  );

  it.each(cases(ofHosts))(
    'of the %s while a host is deleted (%i): it is in the bin completely, and then gone',
    { timeout: 120_000 },
    async (victim, round) => {
      const user = `crash-${victim}${round}`;
      const before = await database.repository(HostingAccount).count();
      const { id } = await hostOf(user);
      await interrupted(victim, 300, () => rig.must('zjsc', { id: id!, qr: user }));
      await expect
        .poll(async () => (await database.repository(HostingAccount).findOneBy({ userKey: user }))?.state ?? 'gone', { timeout: 60_000 })
        .not.toBe('terminating');
      if (await hostOf(user)) await rig.must('zjsc', { id: id!, qr: user });
      await agree(before - 1);
      const [kept] = await database.repository(BinnedSite).findBy({ username: user });
      await interrupted(victim, 500, () => rig.must('zjqc', { id: String(kept!.id) }));
      await expect
        .poll(
          async () => {
            if ((await database.repository(BinnedSite).countBy({ username: user })) > 0) await rig.ask('zjqc', { id: String(kept!.id) });
            return database.repository(BinnedSite).countBy({ username: user });
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(0);
      await agree(before - 1);
    },
  );
});
