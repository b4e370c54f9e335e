import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { pathOf } from '../../http/index.js';
import type { Entry } from '../entry.js';

import type { Metric, Sample } from './exposition.js';

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kinds of requests by path prefix; the first match counts, otherwise `other`. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\/(healthz|readyz|metrics)$/, 'health'],
  [/^\/admin\/ajax\.php$/, 'admin_operation'],
  [/^\/user\/ajax\.php$/, 'user_operation'],
  [/^\/api\/api\.php$/, 'provisioning_api'],
  [/^\/api\/node\.php$/, 'node_api'],
  [/^\/admin(\/|$)/, 'admin_page'],
  [/^\/user(\/|$)/, 'user_page'],
  [/^\/pay\//, 'payment'],
  [/^\/(assets|logos|app_plugins)\//, 'asset'],
];

interface Times {
  readonly kind: string;
  /** Status class, such as `2xx`. */
  readonly status: string;
  count: number;
  /** Seconds. */
  sum: number;
  readonly buckets: number[];
}

/** Measures requests by kind and status class: a fixed set of labels that clients cannot extend. */
@Injectable()
export class RequestTimes implements Entry {
  private readonly times = new Map<string, Times>();

  /** Observes a request and passes it on. */
  tryHandle(req: IncomingMessage, res: ServerResponse): false {
    const start = performance.now();
    const kind = kindOf(pathOf(req.url ?? '/'));
    res.once('close', () =>
      this.note(kind, res.writableFinished ? `${Math.floor(res.statusCode / 100)}xx` : 'aborted', performance.now() - start),
    );
    return false;
  }

  /** Returns the measurements as a Prometheus histogram. */
  metric(): Metric {
    return {
      name: 'svc_http_request_duration_seconds',
      type: 'histogram',
      help: 'Duration of requests until the response was sent, by kind and status class.',
      samples: [...this.times.values()].flatMap(samplesOf),
    };
  }

  private note(kind: string, status: string, took: number): void {
    const key = `${kind} ${status}`;
    let times = this.times.get(key);
    if (!times) this.times.set(key, (times = { kind, status, count: 0, sum: 0, buckets: BUCKETS.map(() => 0) }));
    const seconds = took / 1_000;
    times.count += 1;
    times.sum += seconds;
    for (const [at, end] of BUCKETS.entries()) if (seconds <= end) times.buckets[at]! += 1;
  }
}

/** Returns the kind of a request, used as its label. */
export function kindOf(path: string): string {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';
}

function samplesOf({ kind, status, count, sum, buckets }: Times): Sample[] {
  const labels = { kind, status };
  return [
    ...BUCKETS.map((end, at) => ({ suffix: '_bucket', labels: { ...labels, le: String(end) }, value: buckets[at]! })),
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}
