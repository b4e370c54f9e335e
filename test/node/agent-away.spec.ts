import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ormOptions } from '../../ormconfig.js';
import { AgentNode } from '../../src/agents/index.js';
import { createDatabase, type Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';

import { AgentRig, type Answer, SERVER } from '../support/agent-rig.js';
import { hasDebianMachine } from '../support/debian-machine.js';
import type { PanelClient } from '../support/panel-client.js';

const PASS = 'Secret-pass-77';
const AWAY = /cannot be reached|not been heard|does not answer|unreachable|try again/i;

/** A real panel whose server has problems: its agent is offline, or its disk is full. */
describe.skipIf(!hasDebianMachine)('a server with problems', () => {
  let rig: AgentRig;
  let database: Database;
  let owner: PanelClient;
  let host: Record<string, string>;

  beforeAll(async () => {
    rig = await AgentRig.start({ size: '300m' });
    database = createDatabase(ormOptions(rig.place.config));
    await database.dataSource.initialize();
    await rig.must('addzj', { user: 'there01', pass: PASS, btdh: SERVER, webkj: '500', sqlkj: '50' });
    host = (await rig.row('listzj', 'user', 'there01'))!;
    owner = await rig.owner('there01', PASS);
  }, 120_000);
  afterAll(async () => {
    await database?.dataSource.destroy();
    await rig?.dispose();
  });

  const user = async (gn: string, fields: Record<string, string> = {}): Promise<Answer> =>
    (await owner.ajax('user', { gn, ...fields }, { 'Accept-Language': 'en' })).json as Answer;
  const page = async (path: string, who = owner): Promise<{ status: number; text: string }> =>
    who.send(path, { headers: { 'Accept-Language': 'en' } });
  const upload = async (name: string, bytes: Buffer): Promise<Answer> => {
    const body = new FormData();
    const fields = { gn: 'fileupload', htl: '/', tempfilename: name, zsize: String(bytes.length), fesw: '0' };
    for (const [key, value] of Object.entries(fields)) body.append(key, value);
    body.append('file', new Blob([new Uint8Array(bytes)]), 'blob');
    return (await owner.send('/user/ajax.php', { method: 'POST', body, headers: { 'Accept-Language': 'en' } })).json as Answer;
  };
  const status = async (path = '/'): Promise<number> => (await rig.machine.fetch({ host: host.sqldz!, path })).status;
  const sitesThere = async (): Promise<string> =>
    rig.machine.must(['sh', '-c', `grep -oE '^svc[0-9a-f]{8}:' /etc/passwd; ls /srv/svc; ls -A /var/lib/svc-agent/sites`]);

  it('with a full disk reports it, and leaves nothing incomplete', async () => {
    await user('xjwj', { ml: '/', wjname: 'page.html' });
    expect(await user('setwj', { wj: '/page.html', nr: 'before' })).toMatchObject({ success: true });
    await user('xjwj', { ml: '/', wjname: 'spare.txt' });
    const before = await sitesThere();
    await rig.machine.run([
      'sh',
      '-c',
      'dd if=/dev/zero of=/var/fill bs=1M; dd if=/dev/zero of=/var/fill2 bs=4k; dd if=/dev/zero of=/var/fill3 bs=512; true',
    ]);
    const said: Record<string, unknown> = {};
    try {
      said.write = await user('setwj', { wj: '/page.html', nr: 'x'.repeat(1_000_000) });
      said.upload = await upload('big.bin', Buffer.alloc(2_000_000, 'x'));
      const made = await user('sitebackup_make');
      said.backup = made;
      if (made.success === true) {
        await expect.poll(async () => (await user('sitebackup_list')).rows?.[0]?.zt, { timeout: 40_000 }).not.toBe('making');
        said.backup = (await user('sitebackup_list')).rows![0];
      }
      said.open = await rig.ask('addzj', { user: 'full01', pass: PASS, btdh: SERVER, webkj: '100' });
      said.list = await user('listfile');
      said.delete = await user('ftpsc', { lx: 'file', path: '/', name: 'spare.txt' });
    } finally {
      await rig.machine.must(['sh', '-c', 'rm -f /var/fill*']);
    }
    expect(await status('/page.html')).toBe(200);
    expect((await rig.machine.fetch({ host: host.sqldz!, path: '/page.html' })).body).toBe('before');
    // Actions that free space or only read still work.
    expect(said).toMatchObject({ list: { rows: expect.any(Array) as unknown[] } });
    for (const what of ['write', 'upload', 'backup', 'open'])
      expect([what, JSON.stringify(said[what])]).toEqual([what, expect.stringMatching(/disk/i)]);
    await expect.poll(async () => await database.repository(HostingAccount).countBy({ userKey: 'full01' }), { timeout: 60_000 }).toBe(0);
    await expect.poll(sitesThere, { timeout: 30_000 }).toBe(before);
    expect(
      await rig.machine.must([
        'sh',
        '-c',
        `find /srv/svc /var/lib/svc-hosting /var/lib/svc-agent -name '*big.bin*' -o -name '*.part' -o -name '*.tmp'`,
      ]),
    ).toBe('');
  }, 120_000);

  it('continues when there is space again', async () => {
    expect(await user('setwj', { wj: '/page.html', nr: 'after' })).toMatchObject({ success: true });
    expect(await upload('big.bin', Buffer.alloc(2_000_000, 'x'))).toMatchObject({ success: true, error: 1, size: 1 });
    expect(await rig.ask('addzj', { user: 'full01', pass: PASS, btdh: SERVER, webkj: '100' })).toMatchObject({ success: true });
  });

  it('whose agent is offline for an hour is shown so, requests are refused with an explanation, and its sites run on', async () => {
    await rig.endAgent();
    const { nodeId } = (await database.repository(AgentNode).find())[0]!;
    await database.repository(AgentNode).update({ nodeId }, { lastHeartbeatAt: new Date(Date.now() - 3_600_000) });
    expect(await rig.isOnline()).toBe(false);
    expect((await page('/admin/servers', rig.admin)).text).toMatch(/offline|away|not heard/i);
    expect(await status('/page.html')).toBe(200);
    const began = performance.now();
    const said: Record<string, unknown> = {
      php: await user('listphp'),
      list: await user('listfile'),
      write: await user('setwj', { wj: '/page.html', nr: 'lost' }),
      backup: await user('sitebackup_make'),
      database: await user('databasexx'),
      open: await rig.ask('addzj', { user: 'away01', pass: PASS, btdh: SERVER }),
      server: await rig.ask('btztjc', { btid: (await rig.row('listbt', 'btdh', SERVER))!.id! }),
    };
    for (const path of ['/user/', '/user/files', '/user/database', '/user/php', '/user/backups', '/user/statistics', '/user/domains']) {
      const { status: code, text } = await page(path);
      said[path] = [code, /[^.>"]*(?:cannot be reached|unreachable|not answer|try again)[^<"]*/i.exec(text)?.[0].trim()];
    }
    expect(performance.now() - began).toBeLessThan(20_000);
    for (const what of ['php', 'list', 'write', 'database', 'open', 'server']) {
      expect([what, said[what]]).toEqual([what, expect.objectContaining({ success: false, code: expect.stringMatching(AWAY) as string })]);
    }
    for (const path of ['/user/', '/user/files', '/user/database', '/user/backups', '/user/domains'])
      expect([path, (said[path] as [number])[0]]).toEqual([path, 200]);
  }, 60_000);

  it('does the pending work once its agent is back', async () => {
    const pausing = await rig.ask('zjzt', { id: host.id! });
    await rig.startAgent();
    expect(await rig.isOnline()).toBe(true);
    if (pausing.success === true) await expect.poll(() => status('/page.html'), { timeout: 60_000 }).toBe(503);
    else await rig.must('zjzt', { id: host.id! });
    await rig.must('zjjc', { id: host.id! });
    expect(await status('/page.html')).toBe(200);
    expect((await rig.machine.fetch({ host: host.sqldz!, path: '/page.html' })).body).toBe('after');
    expect(await database.repository(HostingAccount).countBy({ userKey: 'away01' })).toBe(0);
  }, 120_000);
});
