import type http from 'node:http';

import { asRecord } from '../record.js';
import { clip, oneLine } from '../text.js';
import { PanelError } from './panel-error.js';

/** A response of the panel. Its fields are under `data`, at the top level, or both. */
export class Answer {
  readonly success: boolean;
  readonly message: string;

  constructor(private readonly body: Record<string, unknown>) {
    this.success = body.success === true;
    this.message = typeof body.msg === 'string' ? body.msg : '';
  }

  field(name: string): unknown {
    const data = asRecord(this.body.data);
    return data !== null && data[name] !== undefined ? data[name] : this.body[name];
  }
}

/** Parses a response of the panel. @throws PanelError if it is not one */
export function readAnswer(status: number, headers: http.IncomingHttpHeaders, text: string): Answer {
  if (status >= 300 && status < 400) {
    const target = clip(oneLine(headers.location ?? ''), 200);
    throw new PanelError(
      'redirect',
      `The panel redirects (HTTP ${status}) to ${target || 'another address'}. Redirects are not followed: set svc_url ` +
        'to the final address.',
      { status },
    );
  }
  if (status !== 200) {
    const seconds = Number(headers['retry-after']);
    const advice =
      status === 404
        ? 'Check that svc_url is the address of the panel.'
        : status === 413
          ? 'The report is too large for the panel or for a proxy in front of it.'
          : status === 429
            ? 'Too many requests: the agent retries later.'
            : 'See the log of the panel or of the proxy in front of it.';
    throw new PanelError('status', `The panel answered HTTP ${status}. ${advice}`, {
      status,
      retryAfterSeconds: Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 300) : 0,
    });
  }
  let body;
  try {
    body = asRecord(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    body = null;
  }
  if (body === null || typeof body.success !== 'boolean') {
    const start = clip(oneLine(text.slice(0, 200)), 80);
    throw new PanelError(
      'format',
      `The response is not from /api/node.php: ${JSON.stringify(start)}. Check that svc_url is the address of the panel.`,
    );
  }
  return new Answer(body);
}
