import { createStartedPlace, type TestPlace } from './database.js';
import { DebianMachine } from './debian-machine.js';
import { PanelClient } from './panel-client.js';
import { ServerProcess } from './server-process.js';

/** Answer of an operation. */
export interface Answer {
  readonly success?: boolean;
  readonly code?: unknown;
  readonly err?: string;
  readonly data?: Record<string, unknown>;
  readonly rows?: readonly Record<string, unknown>[];
  readonly [name: string]: unknown;
}

/** Code of the server in the panel. */
export const SERVER = 'debian';
/** Command line of the agent, as its installer writes it. */
const AGENT = ['node', '/opt/svc-agent/svc-agent.mjs', '--config', '/etc/svc-agent/agent.json'];

/** Panel process, and a Debian machine with the real agent, connected by the install command the panel prints. */
export class AgentRig {
  admin!: PanelClient;
  /** Output of the installer. */
  said = '';
  private starts = 0;
  private readonly others = new Map<string, { machine: DebianMachine; starts: number }>();

  private constructor(
    readonly place: TestPlace,
    readonly machine: DebianMachine,
    public panel: ServerProcess,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async start({ env = {}, size }: { env?: NodeJS.ProcessEnv; size?: string } = {}): Promise<AgentRig> {
    const place = await createStartedPlace();
    const all = { RATE_LIMIT: 'off', ...env };
    const [machine, panel] = await Promise.all([DebianMachine.start(size === undefined ? {} : { size }), ServerProcess.start(place, all)]);
    const rig = new AgentRig(place, machine, panel, all);
    try {
      await panel.ready();
      await machine.reach(panel.port);
      await rig.signIn();
      await rig.enroll(machine, SERVER);
      await rig.startAgent();
    } catch (error) {
      await rig.dispose();
      throw error;
    }
    return rig;
  }

  /** Calls an operation as administrator. */
  async ask(gn: string, fields: Record<string, string> = {}): Promise<Answer> {
    return (await this.admin.ajax('admin', { gn, ...fields }, { 'Accept-Language': 'en' })).json as Answer;
  }

  /** Like {@link ask}, and throws on a failure answer. */
  async must(gn: string, fields: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.ask(gn, fields);
    if (answer.success === true || Array.isArray(answer.rows)) return answer;
    throw new Error(`${gn}: ${JSON.stringify(answer)}`);
  }

  /** Returns the row of a list whose field has this value. */
  async row(gn: string, field: string, value: string, fields: Record<string, string> = {}): Promise<Record<string, string> | undefined> {
    const { rows = [] } = await this.must(gn, { limit: '100', ...fields });
    return rows.find((row) => row[field] === value) as Record<string, string> | undefined;
  }

  /** Signs in an owner. */
  owner(user: string, pass: string): Promise<PanelClient> {
    return new PanelClient(this.panel.url).login('user', user, pass);
  }

  /** Returns whether the panel shows the agent as online. */
  async isOnline(): Promise<boolean> {
    return (await this.row('listbt', 'btdh', SERVER))?.zx === 'true';
  }

  /** Adds another machine with its own agent, as the server with this code. */
  async join(code: string): Promise<DebianMachine> {
    const machine = await DebianMachine.start();
    this.others.set(code, { machine, starts: 0 });
    await machine.reach(this.panel.port);
    await this.enroll(machine, code);
    await this.startOther(code);
    return machine;
  }

  /** Kills the agent of an added machine and starts it again. */
  async restartOther(code: string): Promise<void> {
    const { machine, starts } = this.others.get(code)!;
    await machine.end(`agent-${starts}`, 'SIGKILL');
    await this.startOther(code);
  }

  private async startOther(code: string): Promise<void> {
    const other = this.others.get(code)!;
    const name = `agent-${(other.starts += 1)}`;
    await other.machine.launch(name, AGENT);
    await this.hears(code, () => other.machine.must(['cat', `/run/${name}.log`]));
  }

  /** Starts the agent, as its unit does after a boot or a crash, and waits until it answers. */
  async startAgent(): Promise<void> {
    this.starts += 1;
    await this.machine.launch(`agent-${this.starts}`, AGENT);
    await this.hears(SERVER, () => this.agentLog());
  }

  private async hears(code: string, log: () => Promise<string>): Promise<void> {
    const { id } = (await this.row('listbt', 'btdh', code))!;
    const end = Date.now() + 60_000;
    // The panel shows a dead agent as online for up to a minute, so only an answer proves that it runs.
    while ((await this.ask('btztjc', { btid: id! })).success !== true)
      if (Date.now() > end) throw new Error(`The agent does not answer: ${await log()}`);
  }

  /**
   * Sends a signal to the agent and waits for its exit.
   *
   * @returns exit code, or the signal that ended it
   */
  endAgent(signal: NodeJS.Signals = 'SIGKILL'): Promise<string> {
    return this.machine.end(`agent-${this.starts}`, signal);
  }

  /** Returns the output of the agent since its latest start. */
  agentLog(): Promise<string> {
    return this.machine.must(['cat', `/run/agent-${this.starts}.log`]);
  }

  /** Kills the panel and starts it again on the same ports. */
  async restartPanel(): Promise<void> {
    const { port, sitesPort } = this.panel;
    await this.panel.stop('SIGKILL');
    this.panel = await ServerProcess.start(this.place, this.env, [port, sitesPort]);
    await this.panel.ready();
  }

  async dispose(): Promise<void> {
    await this.panel.stop('SIGKILL');
    for (const machine of [this.machine, ...[...this.others.values()].map(({ machine }) => machine)]) await machine.dispose();
    await this.place.dispose();
  }

  private async signIn(): Promise<void> {
    this.admin = await new PanelClient(this.panel.url).login('admin', 'admin', 'svc-panel-admin');
  }

  /** Adds the server and runs the printed install command on it. The machine has no network: its `apt-get` only logs its arguments. */
  private async enroll(machine: DebianMachine, code: string): Promise<void> {
    const stub = '#!/bin/sh\necho "$@" >>/var/log/apt-get.log\n';
    await machine.must(['sh', '-c', 'rm -f /usr/bin/apt-get && cat >/usr/bin/apt-get && chmod 755 /usr/bin/apt-get'], { input: stub });
    await this.must('addbt', { bh: code, driver: 'agent', ip: `192.0.2.${10 + this.others.size}` });
    const { id } = (await this.row('listbt', 'btdh', code))!;
    const { data } = await this.must('nodeaz', { id: id! });
    this.said = await machine.must(['sh', '-c', `${String(data!.command)} --yes --adminer-name db.machine.test`]);
  }
}
