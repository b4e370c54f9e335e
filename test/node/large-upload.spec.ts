import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AgentRig, type Answer, SERVER } from '../support/agent-rig.js';
import { hasDebianMachine } from '../support/debian-machine.js';

const MB = 1024 * 1024;
/** How large the file is. `npm run bench:agent-uploads` sends a gigabyte, which takes too long for every run of the suite. */
const SIZE = Number(process.env.UPLOAD_MB ?? 0) * MB;
/** What pages send at once. */
const PIECE = 4 * MB;
/** So much more memory than before any of the processes may have at any moment, in MB. */
const MOST_MB = 64;
const PASS = 'Secret-pass-77';

/** A file goes through the panel and the agent in pieces: neither ever holds it. */
describe.skipIf(!hasDebianMachine || SIZE === 0)('a large upload to a server with our agent', () => {
  let rig: AgentRig;

  beforeAll(async () => {
    rig = await AgentRig.start({ size: `${Math.ceil(SIZE / MB) * 2 + 400}m` });
    await rig.must('addzj', { user: 'large01', pass: PASS, btdh: SERVER, webkj: String(2 * (SIZE / MB)), sqlkj: '50' });
  }, 120_000);
  afterAll(() => rig?.dispose());

  /** Memory of the largest process of the agent that runs on the machine, in MB. */
  async function agentMemory(): Promise<number> {
    const { stdout } = await rig.machine.run(['sh', '-c', 'for p in $(pgrep -f svc-agent.mjs); do grep VmRSS /proc/$p/status; done']);
    return Math.max(0, ...[...stdout.matchAll(/VmRSS:\s+(\d+)/g)].map(([, kB]) => Number(kB) / 1_024));
  }

  it('takes 64 MB at most in each process, and is whole', { timeout: 600_000 }, async () => {
    const owner = await rig.owner('large01', PASS);
    const piece = Buffer.alloc(PIECE, 'large-');
    const digest = createHash('sha256');
    const memory = async (): Promise<[number, number]> => [rig.panel.memory() / MB, await agentMemory()];
    const send = async (name: string, from: number, size: number): Promise<Answer> => {
      const body = new FormData();
      const fields = { gn: 'fileupload', htl: '/', tempfilename: name, zsize: String(size), fesw: String(from) };
      for (const [key, value] of Object.entries(fields)) body.append(key, value);
      body.append('file', new Blob([piece]), 'blob');
      return (await owner.send('/user/ajax.php', { method: 'POST', body })).json as Answer;
    };
    // What a first piece makes every process load is no part of it.
    expect(await send('first.bin', 0, PIECE)).toMatchObject({ success: true, error: 1 });
    const before = await memory();
    const most = [...before];
    const began = performance.now();
    for (let from = 0; from < SIZE; from += PIECE) {
      expect(await send('large.bin', from, SIZE)).toMatchObject({ success: true });
      digest.update(piece);
      for (const [at, now] of (await memory()).entries()) most[at] = Math.max(most[at]!, now);
    }
    const figures = most.map((mb, at) => `${before[at]!.toFixed(0)} -> ${mb.toFixed(0)} MB`);
    process.stdout.write(
      `${SIZE / MB} MB in ${((performance.now() - began) / 1_000).toFixed(1)} s; panel ${figures[0]}, agent ${figures[1]}\n`,
    );
    expect(
      most.map((mb, at) => mb - before[at]!).every((more) => more <= MOST_MB),
      figures.join(', '),
    ).toBe(true);
    const { stdout } = await rig.machine.run(['sh', '-c', 'sha256sum /srv/svc/*/public/large.bin']);
    expect(stdout.split(' ')[0]).toBe(digest.digest('hex'));
  });
});
