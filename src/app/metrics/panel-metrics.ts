import { monitorEventLoopDelay } from 'node:perf_hooks';

import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { BackgroundQueue, JobRegistry, JobRuns, jobKey, type TaskState } from '../../jobs/index.js';
import { OperationTimes } from '../../operations/index.js';
import { PluginListings } from '../../plugin-registry/index.js';
import { API_VERSION } from '../../sdk/index.js';

import type { Metric, Sample } from './exposition.js';
import { RequestTimes } from './request-times.js';

const MS = 1_000;
const NANOSECONDS = 1e9;
/** Task states that describe the state of the queue. */
const OPEN_STATES: readonly TaskState[] = ['waiting', 'running', 'failed'];

interface Counted {
  state: string;
  total: number;
}

/** The values of `/metrics`: of this process, and of what all processes share in the database. */
@Injectable()
export class PanelMetrics implements OnApplicationShutdown {
  private readonly delay = monitorEventLoopDelay({ resolution: 20 });
  private readonly deliveries;
  private readonly monitors;

  constructor(
    private readonly database: Database,
    private readonly requests: RequestTimes,
    private readonly queue: BackgroundQueue,
    private readonly jobs: JobRegistry,
    private readonly runs: JobRuns,
    // A store without a panel has no operations and no plugins.
    @Optional() @Inject(OperationTimes) private readonly operations: OperationTimes | null = null,
    @Optional() @Inject(PluginListings) private readonly plugins: PluginListings | null = null,
  ) {
    this.delay.enable();
    this.deliveries = database.statement<Counted>(
      `SELECT {EventDelivery.state} AS state, COUNT(*) AS total FROM {EventDelivery}
       WHERE {EventDelivery.state} IN ('pending', 'running', 'dead') GROUP BY {EventDelivery.state}`,
    );
    this.monitors = database.statement<Counted>(
      `SELECT {MonitorTask.state} AS state, COUNT(*) AS total FROM {MonitorTask} WHERE {MonitorTask.enabled} = 1
        GROUP BY {MonitorTask.state}`,
    );
  }

  /** Collects the current metrics. */
  async collect(): Promise<Metric[]> {
    const shared = await Promise.all([this.ofDeliveries(), this.ofTasks(), this.ofJobs(), this.ofMonitors()]);
    return [...this.ofProcess(), this.requests.metric(), this.ofQueries(), ...this.ofOperations(), ...shared.flat(), ...this.ofPlugins()];
  }

  onApplicationShutdown(): void {
    this.delay.disable();
  }

  private ofProcess(): Metric[] {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const lag = (value: number): number => (Number.isFinite(value) ? value / NANOSECONDS : 0);
    const delays = [this.delay.mean, this.delay.percentile(99), this.delay.max].map(lag);
    this.delay.reset();
    const build = { version: API_VERSION, node: process.versions.node, database: this.database.engine };
    return [
      {
        name: 'svc_build_info',
        type: 'gauge',
        help: 'Versions of the panel and Node, and the kind of database.',
        samples: [{ value: 1, labels: build }],
      },
      {
        name: 'process_start_time_seconds',
        type: 'gauge',
        help: 'Start time of the process, in seconds since 1970.',
        samples: [{ value: (Date.now() - process.uptime() * MS) / MS }],
      },
      {
        name: 'process_cpu_seconds_total',
        type: 'counter',
        help: 'CPU time of the process.',
        samples: [{ value: (user + system) / 1e6 }],
      },
      { name: 'process_resident_memory_bytes', type: 'gauge', help: 'Memory of the process.', samples: [{ value: rss }] },
      {
        name: 'svc_heap_bytes',
        type: 'gauge',
        help: 'Memory of JavaScript: used, reserved, and outside the heap.',
        samples: [
          { value: heapUsed, labels: { kind: 'used' } },
          { value: heapTotal, labels: { kind: 'reserved' } },
          { value: external, labels: { kind: 'external' } },
        ],
      },
      {
        name: 'svc_event_loop_delay_seconds',
        type: 'gauge',
        help: 'Delay of the event loop since the previous scrape; 0.02 means no delay.',
        samples: ['mean', 'p99', 'max'].map((kind, at) => ({ value: delays[at]!, labels: { kind } })),
      },
    ];
  }

  private ofOperations(): Metric[] {
    const times = this.operations?.list() ?? [];
    const of = (samples: (time: (typeof times)[number], labels: Record<string, string>) => Sample[]): Sample[] =>
      times.flatMap((time) => samples(time, { side: time.side, operation: time.name }));
    return [
      {
        name: 'svc_operation_duration_seconds',
        type: 'summary',
        help: 'Duration of operation calls.',
        samples: of(({ total, calls }, labels) => [
          { suffix: '_sum', value: total / MS, labels },
          { suffix: '_count', value: calls, labels },
        ]),
      },
      {
        name: 'svc_operation_refused_total',
        type: 'counter',
        help: 'Operation calls that were rejected or failed.',
        samples: of(({ refused }, labels) => [{ value: refused, labels }]),
      },
    ];
  }

  private ofQueries(): Metric {
    return {
      name: 'svc_slow_queries_total',
      type: 'counter',
      help: 'Database queries that took at least as long as the limit in the settings.',
      samples: [{ value: this.database.slow.count }],
    };
  }

  private async ofDeliveries(): Promise<Metric[]> {
    const found = countsOf(await this.deliveries.all());
    return [
      {
        name: 'svc_event_deliveries',
        type: 'gauge',
        help: 'Event deliveries to listeners: waiting, running, and dead (failed too often, waiting for an administrator).',
        samples: [
          ['waiting', 'pending'],
          ['running', 'running'],
          ['dead', 'dead'],
        ].map(([state, stored]) => ({ value: found.get(stored!) ?? 0, labels: { state: state! } })),
      },
    ];
  }

  private async ofTasks(): Promise<Metric[]> {
    const totals = await Promise.all(
      OPEN_STATES.map(async (state) => ({ state, ...(await this.queue.list({ state }, { page: 1, limit: 1 })) })),
    );
    const samples = totals.map(({ state, total }) => ({ value: total, labels: { state } }));
    return [{ name: 'svc_background_tasks', type: 'gauge', help: 'Background tasks by state.', samples }];
  }

  private async ofJobs(): Promise<Metric[]> {
    const last = await Promise.all(this.jobs.list().map(async (job) => ({ job: jobKey(job), run: await this.runs.last(jobKey(job)) })));
    const ran = last.flatMap(({ job, run }) => (run ? [{ job, run }] : []));
    return [
      {
        name: 'svc_job_last_run_timestamp_seconds',
        type: 'gauge',
        help: 'Start time of the last run of a job in any process.',
        samples: ran.map(({ job, run }) => ({ value: run.startedAt.getTime() / MS, labels: { job } })),
      },
      {
        name: 'svc_job_last_run_failed',
        type: 'gauge',
        help: '1 if the last run of a job failed.',
        samples: ran.map(({ job, run }) => ({ value: run.error === null ? 0 : 1, labels: { job } })),
      },
    ];
  }

  private async ofMonitors(): Promise<Metric[]> {
    const samples = [...countsOf(await this.monitors.all())].map(([state, value]) => ({ value, labels: { state } }));
    return [{ name: 'svc_monitors', type: 'gauge', help: 'Enabled monitors by state.', samples }];
  }

  private ofPlugins(): Metric[] {
    const places = (this.plugins?.callsOfRunning() ?? []).map(({ slug, places: calls }) => ({ plugin: slug, calls }));
    const of = (value: (call: (typeof places)[number]['calls'][number]) => number): Sample[] =>
      places.map(({ plugin, calls }) => ({ value: calls.reduce((sum, call) => sum + value(call), 0), labels: { plugin } }));
    return [
      {
        name: 'svc_plugin_calls_total',
        type: 'counter',
        help: 'Calls into a plugin since it started.',
        samples: of(({ calls }) => calls),
      },
      {
        name: 'svc_plugin_errors_total',
        type: 'counter',
        help: 'Calls into a plugin that failed or timed out.',
        samples: of(({ errors, timeouts }) => errors + timeouts),
      },
      {
        name: 'svc_plugin_seconds_total',
        type: 'counter',
        help: 'Duration of calls into a plugin.',
        samples: of(({ mean, calls }) => (mean * calls) / MS),
      },
    ];
  }
}

const countsOf = (rows: readonly Counted[]): Map<string, number> => new Map(rows.map(({ state, total }) => [state, Number(total)]));
