import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AgentRig, SERVER } from '../support/agent-rig.js';
import { chances } from '../support/chances.js';
import { type DebianMachine, hasDebianMachine } from '../support/debian-machine.js';

const PASS = 'Secret-pass-77';
const OTHER = 'other';
/** `SEED=… ROUNDS=…`: the same kills at the same moments, and more of them. */
const SEED = Number(process.env.SEED ?? randomInt(1_000_000));
const ROUNDS = Number(process.env.ROUNDS ?? 1);
/** A typical customer program: its database, user and password are in a file of its own. */
const PROGRAM = (database: string, password: string): string => `<?php
$db = new mysqli('localhost', '${database}', '${password}', '${database}');
if (isset($_GET['say'])) $db->query("INSERT INTO guests (name) VALUES ('" . $db->real_escape_string($_GET['say']) . "')");
echo implode(',', array_column($db->query('SELECT name FROM guests ORDER BY id')->fetch_all(), 0));
`;
const TABLE = 'CREATE TABLE guests (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40)); INSERT INTO guests (name) VALUES ("first");';

/** Moves between real servers: the panel, two Debian machines with the real agent, and the panel's own machine. */
describe.skipIf(!hasDebianMachine)(`a site that is moved (SEED=${SEED})`, () => {
  const chance = chances(SEED);
  let rig: AgentRig;
  let other: DebianMachine;

  beforeAll(async () => {
    rig = await AgentRig.start();
    other = await rig.join(OTHER);
  }, 180_000);
  afterAll(() => rig?.dispose());

  const hostRow = async (user: string) => (await rig.row('listzj', 'user', user))!;
  const visit = async (machine: DebianMachine, name: string, path = '/'): Promise<[number, string]> => {
    const { status, body } = await machine.fetch({ host: name, path });
    return [status, body];
  };
  const moved = (user: string) => expect.poll(async () => (await rig.row('listqy', 'user', user))?.zt, { timeout: 60_000, interval: 250 });
  const move = async (id: string, to: string): Promise<unknown> => rig.must('zjqy', { id, btdh: to });

  it('between two Debian servers keeps its database, password, PHP and commands, and moves back', async () => {
    await rig.must('addzj', { user: 'shop01', pass: PASS, btdh: SERVER, webkj: '200', sqlkj: '100', ymbds: '3' });
    const before = await hostRow('shop01');
    const [id, name, database] = [before.id!, before.sqldz!, before.btid!];
    const owner = await rig.owner('shop01', PASS);
    const user = async (gn: string, fields: Record<string, string>) =>
      (await owner.ajax('user', { gn, ...fields }, { 'Accept-Language': 'en' })).json as Record<string, unknown>;
    const put = async (file: string, text: string): Promise<void> => {
      await user('xjwj', { ml: '/', wjname: file });
      expect(await user('setwj', { wj: `/${file}`, nr: text })).toMatchObject({ success: true });
    };
    await put('index.php', PROGRAM(database, PASS));
    await put('tables.sql', TABLE);
    expect(await user('sqldr', { filename: 'tables.sql' })).toMatchObject({ success: true });
    await expect.poll(() => visit(rig.machine, name, '/index.php'), { timeout: 20_000 }).toEqual([200, 'first']);
    await user('tjurl', { url: 'shop.example.com' });

    const check = await rig.must('zjqyjc', { id, btdh: OTHER });
    expect(check).toMatchObject({ fits: 'true' });
    expect(JSON.stringify(check.notes)).not.toMatch(/password/i);
    await move(id, OTHER);
    await moved('shop01').toBe('kept');
    const after = await hostRow('shop01');
    expect(after).toMatchObject({ ssbt: OTHER, btid: database });
    // Its program finds its database by its stored configuration, by its own name and by its owner's domain.
    expect(await visit(other, name, '/index.php?say=second')).toEqual([200, 'first,second']);
    expect(await visit(other, 'shop.example.com', '/index.php')).toEqual([200, 'first,second']);
    // The old one exists, and is out of service.
    expect((await visit(rig.machine, name, '/index.php'))[0]).not.toBe(200);
    expect(await rig.machine.must(['test', '-f', `/srv/svc/${database}/public/index.php`])).toBe('');
    // Nothing of the move is left over.
    for (const machine of [rig.machine, other])
      expect(await machine.must(['sh', '-c', 'find /srv /var -name "*-move-*.gz" -o -name ".body-*" -o -name "*.sql.gz" | head'])).toBe('');

    await rig.must('zjqyhf', { id });
    await moved('shop01').toBe('kept');
    expect(await hostRow('shop01')).toMatchObject({ ssbt: SERVER, btid: database });
    expect(await visit(rig.machine, name, '/index.php')).toEqual([200, 'first']);
    expect((await visit(other, name, '/index.php'))[0]).not.toBe(200);

    await rig.must('zjqyqc', { id });
    await moved('shop01').toBe('done');
    expect(await other.must(['sh', '-c', `ls /srv/svc | grep -c ${database} || true`])).toBe('0\n');
  });

  it('moves from the panel’s own machine to a Debian server, and back as long as it has no PHP of its own', async () => {
    await rig.must('addzj', { user: 'static01', pass: PASS, btdh: 'local', webkj: '200' });
    const { id, sqldz: name } = await hostRow('static01');
    const owner = await rig.owner('static01', PASS);
    await owner.ajax('user', { gn: 'xjwj', ml: '/', wjname: 'page.html' });
    await owner.ajax('user', { gn: 'setwj', wj: '/page.html', nr: 'of the owner' });
    await move(id!, OTHER);
    await moved('static01').toBe('kept');
    expect(await visit(other, name!, '/page.html')).toEqual([200, 'of the owner']);
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'completes when an agent is killed midway (%i), and nothing incomplete stays',
    async (round) => {
      const user = `killed${round}`;
      const victim = chance() < 0.5 ? 'source' : 'target';
      await rig.must('addzj', { user, pass: PASS, btdh: SERVER, webkj: '500', sqlkj: '100' });
      const { id, sqldz: name, btid } = await hostRow(user);
      const root = `/srv/svc/${btid!}/public`;
      await rig.machine.must([
        'sh',
        '-c',
        `head -c 40000000 /dev/urandom > ${root}/big.bin && echo whole > ${root}/page.html && chown ${btid!}: ${root}/*`,
      ]);
      const sum = await rig.machine.must(['sh', '-c', `sha256sum < ${root}/big.bin`]);
      await move(id!, OTHER);
      await pause(chance() * 4_000);
      if (victim === 'source') {
        await rig.endAgent();
        await rig.startAgent();
      } else await rig.restartOther(OTHER);
      await moved(user).toMatch(/^(?:kept|failed)$/);
      // Repeated if it failed: nothing of the first attempt blocks it.
      if ((await hostRow(user)).ssbt === SERVER) {
        expect(await other.must(['sh', '-c', `ls /srv/svc | grep -c ${btid!} || true`])).toBe('0\n');
        expect(await visit(rig.machine, name!, '/page.html')).toEqual([200, 'whole\n']);
        await move(id!, OTHER);
        await moved(user).toBe('kept');
      }
      expect(await visit(other, name!, '/page.html')).toEqual([200, 'whole\n']);
      expect(await other.must(['sh', '-c', `sha256sum < ${root}/big.bin`])).toBe(sum);
      for (const machine of [rig.machine, other])
        expect(await machine.must(['sh', '-c', 'find /srv /var -name "*-move-*.gz" -o -name ".body-*" -o -name "*.sql.gz" | head'])).toBe(
          '',
        );
    },
  );

  it('stays in place when the other disk is full, and says so', async () => {
    await rig.must('addzj', { user: 'large01', pass: PASS, btdh: SERVER, webkj: '500' });
    const { id, sqldz: name, btid } = await hostRow('large01');
    await rig.machine.must([
      'sh',
      '-c',
      `head -c 60000000 /dev/urandom > /srv/svc/${btid!}/public/big.bin && chown ${btid!}: /srv/svc/${btid!}/public/big.bin`,
    ]);
    const free = Number(await other.must(['sh', '-c', 'df -B1 --output=avail /srv | tail -1']));
    await other.must(['fallocate', '-l', String(free - 30_000_000), '/srv/filler']);
    await move(id!, OTHER);
    await moved('large01').toBe('failed');
    expect((await rig.row('listqy', 'user', 'large01'))!.cw).toMatch(/full|space|disk/i);
    expect(await hostRow('large01')).toMatchObject({ ssbt: SERVER });
    expect((await visit(rig.machine, name!, '/'))[0]).toBe(200);
    await other.must(['rm', '/srv/filler']);
    expect(await other.must(['sh', '-c', `ls /srv/svc | grep -c ${btid!} || true`])).toBe('0\n');
  });
});
