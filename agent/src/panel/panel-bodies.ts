import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type http from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { ActionBody } from '../../../src/agents/wire/actions.js';

import type { Config } from '../config/config.js';
import { readAnswer } from './answer.js';
import { PanelError, networkProblem } from './panel-error.js';
import { panelRequest } from './panel-request.js';
import { hashOf, type RequestHead, signedHead } from './request-head.js';
import { signingKey } from './signature.js';

/** The task a body belongs to. */
export interface BodyTask {
  readonly task_id: string;
  readonly attempt: number;
}

/** Announced properties of a body. */
export interface ExpectedBody {
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly maxBytes: number;
}

const ANSWER_LIMIT = 64 * 1024;

/**
 * Transfers bodies of actions to and from the panel as streams of any length, without buffering them in memory. Only the action's time
 * limit applies.
 */
export class PanelBodies {
  private readonly key: string;

  /** @param ca PEM text of an additional certificate authority */
  constructor(
    private readonly config: Config,
    private readonly ca?: string,
  ) {
    this.key = signingKey(config.platformSecret, config.nodeSecret);
  }

  /**
   * Downloads the body of a task to a new file.
   *
   * @returns its size and hash
   * @throws PanelError also if it differs from the announced properties
   */
  async get(task: BodyTask, file: string, expected: ExpectedBody, stop: AbortSignal): Promise<ActionBody> {
    const head = signedHead(this.config, this.key, { act: 'get_body', query: queryOf(task), bodyHash: hashOf('') });
    const response = await this.send(head, { 'Content-Length': 0 }, stop, (request) => void request.end());
    if (!String(response.headers['content-type']).startsWith('application/octet-stream')) throw await refusalOf(response);
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        hash.update(chunk);
        done(bytes > (expected.bytes ?? expected.maxBytes) ? new PanelError('size', 'The body is longer than announced') : null, chunk);
      },
    });
    await pipeline(response, counted, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal: stop });
    const sha256 = hash.digest('hex');
    if ((expected.bytes ?? bytes) !== bytes || (expected.sha256 ?? sha256) !== sha256)
      throw new PanelError('format', 'The body does not match the announced size or checksum');
    return { bytes, sha256 };
  }

  /**
   * Uploads the body of a task.
   *
   * @param bytes its length
   * @returns its size and hash
   * @throws PanelError if the panel rejects it
   */
  async put(task: BodyTask, content: Readable, bytes: number, stop: AbortSignal): Promise<ActionBody> {
    const head = signedHead(this.config, this.key, { act: 'put_body', query: `${queryOf(task)}&bytes=${bytes}`, bodyHash: 'stream' });
    const hash = createHash('sha256');
    let sent = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sent += chunk.length;
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes };
    let broken: unknown = null;
    const response = await this.send(head, headers, stop, (request) => {
      pipeline(content, counted, request, { signal: stop }).catch((error: unknown) => {
        broken = error;
        request.destroy();
      });
    }).catch((error: unknown) => {
      throw broken ?? error;
    });
    const answer = readAnswer(response.statusCode ?? 0, response.headers, await textOf(response));
    if (!answer.success) throw new PanelError('status', answer.message);
    if (sent !== bytes) throw new PanelError('format', 'The sent body does not have the announced length');
    return { bytes, sha256: hash.digest('hex') };
  }

  private send(
    { target, headers }: RequestHead,
    more: http.OutgoingHttpHeaders,
    stop: AbortSignal,
    write: (request: http.ClientRequest) => void,
  ): Promise<http.IncomingMessage> {
    const base = this.config.svcUrl;
    return new Promise((resolve, reject) => {
      const request = panelRequest({ base, target, headers: { ...headers, ...more }, ca: this.ca, signal: stop });
      request.on('response', resolve);
      request.on('error', (error) => reject(stop.aborted ? error : new PanelError('network', networkProblem(error, base))));
      write(request);
    });
  }
}

const queryOf = ({ task_id, attempt }: BodyTask): string => `&task_id=${encodeURIComponent(task_id)}&attempt=${attempt}`;

async function refusalOf(response: http.IncomingMessage): Promise<PanelError> {
  const answer = readAnswer(response.statusCode ?? 0, response.headers, await textOf(response));
  return new PanelError('status', answer.message || 'The panel has no body for this task');
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8') as AsyncIterable<string>) if ((text += part).length > ANSWER_LIMIT) break;
  return text;
}
