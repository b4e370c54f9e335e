/** PHP and the way to files of sites, by a server whose agent is a fake that speaks the real wire, and by the built-in one, which has neither. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { FakeServer, startFakeServer } from './support/agent-server.js';
import type { FakeAgent } from './support/fake-agent.js';
import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';
import { AgentNode } from '../src/agents/index.js';
import { Database } from '../src/database/index.js';
import { HostingNode } from '../src/hosting/index.js';

let panel: TestPanel;
let agent: FakeAgent;
let owner: OwnerClient;
let stranger: OwnerClient;
const debian = new FakeServer();

beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,worker' });
  agent = await startFakeServer(panel, 'debian', debian);
  await panel.get(Database).repository(HostingNode).update({ code: 'debian' }, { address: 'files.example.com' });
  owner = await OwnerClient.open(panel, 'owner01', 'debian');
  stranger = await OwnerClient.open(panel, 'stranger1', 'debian');
});
afterAll(async () => {
  await agent?.stopNow();
  await panel?.close();
  debian.dispose();
});

describe('PHP of a site', () => {
  it('is one of the versions its server has, which its owner chooses', async () => {
    expect(await owner.call('listphp')).toMatchObject({ success: true, php: '82', list: ['83', '82'] });
    expect(await owner.call('phpxg', { php: '8.3' })).toMatchObject({ success: true, phpversion: '83' });
    expect(await owner.call('set_init', { section: 'php' })).toMatchObject({ qk: 1, msg: { php: '83', list: ['82', '83'] } });
    expect(await stranger.call('listphp')).toMatchObject({ php: '82' });
  });

  it('is no version that is not installed, and nothing that is none', async () => {
    expect(await owner.call('phpxg', { php: '74' })).toMatchObject({
      success: false,
      err: 'E_ARGS',
      msg: expect.stringContaining('没有安装') as string,
    });
    for (const php of ['', '8', '82; reboot', '../82', '8.2.1', '$(id)']) {
      const answer = await owner.call('phpxg', { php });
      expect([php, answer]).toMatchObject([php, { success: false, err: 'E_ARGS', fields: { php: expect.any(String) as string } }]);
    }
    expect(await owner.call('listphp')).toMatchObject({ php: '83' });
  });

  it('is administrators’ too, who name the host', async () => {
    const host = { id: owner.id };
    expect(await panel.admin('phpxg', { ...host, php: '82' })).toMatchObject({ success: true });
    expect(await owner.call('listphp')).toMatchObject({ php: '82' });
    expect(await panel.admin('phpxg', { php: '82' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await panel.admin('listphp', { id: '99999' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    // Whose site it is decides the session, whatever is sent.
    await stranger.call('phpxg', { ...host, php: '83' });
    expect(await owner.call('listphp')).toMatchObject({ php: '82' });
  });
});

describe('access to files', () => {
  it('says what a program is set up with, and is switched off and on', async () => {
    const told = await owner.call('ftpxx');
    expect(told).toMatchObject({ success: true, lx: 'sftp', port: 22, kg: 'true' });
    expect(told.user).not.toBe('');
    expect(told.host).toBe('files.example.com');
    expect(told.user).not.toBe((await stranger.call('ftpxx')).user);
    expect(await owner.call('ftpkg', { kg: 'false' })).toMatchObject({ success: true });
    expect(await owner.call('ftpxx')).toMatchObject({ kg: 'false' });
    expect(await stranger.call('ftpxx')).toMatchObject({ kg: 'true' });
    expect(await panel.admin('ftpkg', { id: owner.id, kg: 'true' })).toMatchObject({ success: true });
    expect(await owner.call('ftpxx')).toMatchObject({ kg: 'true' });
    expect(await owner.call('ftpkg', { kg: 'perhaps' })).toMatchObject({ success: false, err: 'E_ARGS' });
    expect(await owner.call('ftpkg')).toMatchObject({ success: false, err: 'E_ARGS' });
  });
});

describe('pages of programs', () => {
  const PAGES = ['php', 'file-access'];

  it('are in the menu of who has them, in both languages, and lead administrators there from the page of the host', async () => {
    for (const language of ['en', 'zh-CN']) {
      const home = await owner.page('', language);
      for (const page of PAGES) {
        expect(home).toContain(`href="/user/${page}"`);
        expect(await owner.page(page, language)).not.toContain('siteprograms.');
      }
    }
    const host = await (await panel.adminFetch(`/admin/host?id=${owner.id}`)).text();
    for (const page of PAGES) {
      expect(host).toContain(`href="/admin/host-${page}?id=${owner.id}"`);
      const html = await (await panel.adminFetch(`/admin/host-${page}?id=${owner.id}`)).text();
      expect(html).toContain('owner01');
      for (const bad of ['', '0', '99999', 'x']) expect((await panel.adminFetch(`/admin/host-${page}?id=${bad}`)).status).toBe(404);
    }
  });

  it('are not there on a server that can do none of it, which is said by whoever asks', async () => {
    const plain = await OwnerClient.open(panel, 'plain001', 'local');
    const home = await plain.page('');
    const host = await (await panel.adminFetch(`/admin/host?id=${plain.id}`)).text();
    for (const page of PAGES) {
      expect(home).not.toContain(`/user/${page}"`);
      expect(host).not.toContain(`/admin/host-${page}`);
      expect(await plain.page(page, 'en')).toContain('The server this site is on');
    }
    for (const gn of ['listphp', 'phpxg', 'ftpxx'])
      expect([gn, await plain.call(gn)]).toMatchObject([
        gn,
        { success: false, err: 'E_DISABLED', msg: expect.stringContaining('服务器') as string },
      ]);
    expect(await plain.call('ftpkg', { kg: 'true' })).toMatchObject({ success: false, err: 'E_DISABLED' });
  });

  it('say so in words where the server does not answer', async () => {
    await agent.stopNow();
    const agents = panel.get(Database).repository(AgentNode);
    await agents.update({ nodeId: 'agent-debian' }, { lastHeartbeatAt: new Date(Date.now() - 3_600_000) });
    for (const page of PAGES) expect(await owner.page(page, 'en')).toContain('The server did not answer');
    expect(await owner.call('listphp')).toMatchObject({ success: false, err: 'E_UNREACH' });
  });
});
