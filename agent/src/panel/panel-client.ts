import type http from 'node:http';

import type { NodeAct } from '../../../src/agents/wire/node-api.js';

import type { Config } from '../config/config.js';
import { type Answer, readAnswer } from './answer.js';
import { PanelError, networkProblem } from './panel-error.js';
import { panelRequest } from './panel-request.js';
import { hashOf, signedHead } from './request-head.js';
import { signingKey } from './signature.js';

const ANSWER_LIMIT_BYTES = 4 * 1024 * 1024;

const HTTP_TIMEOUT_MS = 5_000;

/** Client of `/api/node.php`: signs requests, never follows redirects, limits the time and size of responses. */
export class PanelClient {
  /** Seconds by which the panel's clock is ahead of ours, from the last response; null before the first. */
  clockSkewSeconds: number | null = null;
  private key;
  private config;
  private timeoutMs;
  private ca;

  /** @param ca PEM text of an additional certificate authority */
  constructor(config: Config, { timeoutMs = HTTP_TIMEOUT_MS, ca }: { timeoutMs?: number; ca?: string } = {}) {
    this.config = config;
    this.key = signingKey(config.platformSecret, config.nodeSecret);
    this.timeoutMs = timeoutMs;
    this.ca = ca;
  }

  /**
   * Sends a request.
   *
   * @param patienceMs how long the panel may hold the request open (long polling), in milliseconds
   * @returns the response, also a refusal; see its `success`
   * @throws PanelError
   */
  async call(act: NodeAct, payload: object, stop?: AbortSignal, patienceMs = 0): Promise<Answer> {
    const body = JSON.stringify(payload);
    const base = this.config.svcUrl;
    const { target, headers } = signedHead(this.config, this.key, { act, bodyHash: hashOf(body) });
    const head = { 'Content-Type': 'application/json; charset=UTF-8', 'Content-Length': Buffer.byteLength(body), ...headers };
    // Allows extra time for uploading large reports over slow connections.
    const timeoutMs = this.timeoutMs + patienceMs + Math.ceil(Buffer.byteLength(body) / 128);
    const { status, headers: received, text } = await this.send(base, target, head, body, timeoutMs, stop);
    const date = Date.parse(String(received.date ?? ''));
    if (Number.isFinite(date)) this.clockSkewSeconds = Math.round((date - Date.now()) / 1000);
    return readAnswer(status, received, text);
  }

  private send(
    base: URL,
    target: string,
    headers: http.OutgoingHttpHeaders,
    body: string,
    timeoutMs: number,
    stop?: AbortSignal,
  ): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }> {
    return new Promise((resolve, reject) => {
      const request = panelRequest({ base, target, headers, ca: this.ca });
      const fail = (error: PanelError) => {
        finish();
        reject(error);
        request.destroy();
      };
      const timer = setTimeout(
        () => fail(new PanelError('timeout', `${base.host} did not answer within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const onStop = () => fail(new PanelError('stopped', 'The agent is stopping'));
      const finish = () => {
        clearTimeout(timer);
        stop?.removeEventListener('abort', onStop);
      };
      request.on('error', (error) => fail(new PanelError('network', networkProblem(error, base))));
      if (stop?.aborted) return onStop();
      stop?.addEventListener('abort', onStop);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > ANSWER_LIMIT_BYTES)
            fail(new PanelError('size', `${base.host} answered with more than ${ANSWER_LIMIT_BYTES / 1024 / 1024} MB`));
          else chunks.push(chunk);
        });
        response.on('error', (error) => fail(new PanelError('network', networkProblem(error, base))));
        response.on('end', () => {
          finish();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') });
        });
      });
      request.end(body);
    });
  }
}
