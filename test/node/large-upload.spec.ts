import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SITE_WORK } from '../../agent/src/host/work/work-order.js';

import { AgentRig, type Answer, SERVER } from '../support/agent-rig.js';
import { hasDebianMachine } from '../support/debian-machine.js';

const MB = 1024 * 1024;
/** The size of the file. `npm run bench:agent-uploads` sends a gigabyte, which takes too long for every run of the suite. */
const SIZE = Number(process.env.UPLOAD_MB ?? 0) * MB;
/** The amount pages send at once. */
const PIECE = 4 * MB;
/** The maximum additional memory of any process at any moment, in MB. */
const MOST_MB = 64;
/** How often memory is checked while parts are sent: a site's worker lives for one of them. */
const LOOK_EVERY_MS = 50;
const PROCESSES = ['panel', 'agent', "its work as the site's user"];
const LARGE = 'large.bin';
const PASS = 'Secret-pass-77';

/** A file passes the panel and the agent in parts: neither ever holds all of it. */
describe.skipIf(!hasDebianMachine || SIZE === 0)('a large upload to a server with our agent', () => {
  let rig: AgentRig;

  beforeAll(async () => {
    rig = await AgentRig.start({ size: `${Math.ceil(SIZE / MB) * 2 + 400}m` });
    await rig.must('addzj', { user: 'large01', pass: PASS, btdh: SERVER, webkj: String(2 * (SIZE / MB)), sqlkj: '50' });
  }, 120_000);
  afterAll(() => rig?.dispose());

  /** Does something. @returns the maximum memory of each kind of process meanwhile, in MB */
  async function mostMemory(name: string, work: () => Promise<void>): Promise<number[]> {
    let panel = 0;
    const look = setInterval(() => (panel = Math.max(panel, rig.panel.memory() / MB)), LOOK_EVERY_MS);
    const watch = `while :; do ps -eo rss=,args= | grep '[s]vc-agent.mjs'; sleep ${LOOK_EVERY_MS / 1_000}; done`;
    await rig.machine.launch(name, ['sh', '-c', watch]);
    try {
      await work();
    } finally {
      clearInterval(look);
      await rig.machine.end(name, 'SIGKILL');
    }
    const lines = (await rig.machine.must(['cat', `/run/${name}.log`])).split('\n').filter((line) => line !== '');
    const most = (isWork: boolean): number =>
      Math.max(...lines.filter((line) => line.endsWith(SITE_WORK) === isWork).map((line) => Number.parseInt(line, 10) / 1_024));
    return [panel, most(false), most(true)];
  }

  it('takes at most 64 MB in each process, and is complete', { timeout: 600_000 }, async () => {
    const owner = await rig.owner('large01', PASS);
    const digest = createHash('sha256');
    const send = async (name: string, size: number, piece: Buffer): Promise<void> => {
      for (let from = 0; from < size; from += piece.length) {
        // Each part is different: in another order they would be another file.
        piece.writeDoubleBE(from);
        const body = new FormData();
        const fields = { gn: 'fileupload', htl: '/', tempfilename: name, zsize: String(size), fesw: String(from) };
        for (const [key, value] of Object.entries(fields)) body.append(key, value);
        body.append('file', new Blob([new Uint8Array(piece)]), 'blob');
        const answer = (await owner.send('/user/ajax.php', { method: 'POST', body })).json as Answer;
        expect(answer).toMatchObject({ success: true });
        if (name === LARGE) digest.update(piece);
      }
    };
    // Memory that every process allocates for its first part is not counted.
    const before = await mostMemory('memory-before', () => send('small.bin', 16 * 1_024, Buffer.alloc(1_024)));
    const began = performance.now();
    const most = await mostMemory('memory', () => send(LARGE, SIZE, Buffer.alloc(PIECE, 'large-')));
    const figures = PROCESSES.map((name, at) => `${name} ${before[at]!.toFixed(0)} -> ${most[at]!.toFixed(0)} MB`).join(', ');
    process.stdout.write(`${SIZE / MB} MB in ${((performance.now() - began) / 1_000).toFixed(1)} s; ${figures}\n`);
    expect(
      most.every((mb, at) => mb - before[at]! <= MOST_MB),
      figures,
    ).toBe(true);
    const { stdout } = await rig.machine.run(['sh', '-c', `sha256sum /srv/svc/*/public/${LARGE}`]);
    expect(stdout.split(' ')[0]).toBe(digest.digest('hex'));
  });
});
