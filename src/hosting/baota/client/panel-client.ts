import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../../common/index.js';
import type { DriverNode } from '../../driver/index.js';

import { multipartBody } from './multipart-body.js';
import { readAnswer, readBody } from './panel-answer.js';
import { shownCertificate } from './panel-connection.js';
import { PanelConnections } from './panel-connections.js';
import { panelAddress, type PanelRequest, send, unreachable } from './panel-exchange.js';
import { PanelProblem, serverProblem } from './panel-problem.js';
import { signature } from './panel-signature.js';

/** Form fields of a call. */
export type PanelFields = Readonly<Record<string, string | number>>;

const FORM = 'application/x-www-form-urlencoded';

/** Calls the HTTP API of BaoTa panels (https://github.com/aaPanel/BaoTa, `class/common.py` shows how requests are signed). */
@Injectable()
export class PanelClient {
  constructor(
    private readonly connections: PanelConnections,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a call and returns the JSON of the response.
   *
   * @param call path and action, such as `/site?action=AddSite`
   * @throws PanelProblem
   */
  async call(node: DriverNode, call: string, fields: PanelFields, signal: AbortSignal): Promise<unknown> {
    const body = new URLSearchParams({ ...texts(fields), ...this.signed(node) }).toString();
    return this.json(node, { method: 'POST', path: call, headers: { 'Content-Type': FORM }, body: Buffer.from(body) }, signal);
  }

  /** As {@link call}, with a file in the form. @throws PanelProblem */
  async callWith(node: DriverNode, call: string, fields: PanelFields, blob: Buffer, signal: AbortSignal): Promise<unknown> {
    const { type, body } = multipartBody({ ...texts(fields), ...this.signed(node) }, { field: 'blob', bytes: blob });
    return this.json(node, { method: 'POST', path: call, headers: { 'Content-Type': type }, body }, signal);
  }

  /** Requests a link of the panel. The caller must read or destroy the response. @throws PanelProblem */
  async get(node: DriverNode, path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
    const answer = await this.follow(node, { method: 'GET', path, headers }, signal);
    if (answer.statusCode === 200 || answer.statusCode === 206) return answer;
    answer.resume();
    throw new PanelProblem({ outcome: 'unknown', message: `HTTP ${answer.statusCode}` });
  }

  /** Returns the fingerprint of a server's certificate if it is not trusted; empty if it is, or if there is none. @throws PanelProblem */
  async unknownCertificate(node: DriverNode, signal: AbortSignal): Promise<string> {
    if (!node.secure) return '';
    const address = panelAddress(node, true);
    const { hostname, port } = address;
    const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 443 };
    const { fingerprint, isTrusted } = await shownCertificate(at, signal).catch((error: unknown) => {
      throw unreachable(address, error as Error);
    });
    return isTrusted ? '' : fingerprint;
  }

  private signed({ panelKey }: DriverNode): Record<string, string> {
    return signature(panelKey, Math.floor(this.clock.now().getTime() / 1_000));
  }

  private async json(node: DriverNode, request: PanelRequest, signal: AbortSignal): Promise<unknown> {
    const answer = await this.follow(node, request, signal);
    return readAnswer(answer.statusCode ?? 0, await readBody(answer));
  }

  /** Sends a request. If the panel redirects to https on the same host, the request is repeated there; no other redirect is followed. */
  private async follow(node: DriverNode, request: PanelRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const base = panelAddress(node, node.secure);
    const answer = await send(base, this.connections.of(node, node.secure), request, signal);
    const { statusCode = 0, headers } = answer;
    if (statusCode < 300 || statusCode >= 400 || node.secure) return answer;
    const to = httpsTarget(base, headers.location);
    if (!to) return answer;
    answer.resume();
    return send(to, this.connections.of(node, true), request, signal);
  }
}

/** Returns the target of a redirect to https on the same host; null for any other redirect. */
function httpsTarget(base: URL, location: string | undefined): URL | null {
  if (!location || !URL.canParse(location, base.href)) return null;
  const { protocol, hostname, port } = new URL(location, base);
  if (protocol !== 'https:' || hostname !== base.hostname) return null;
  return new URL(`https://${hostname}:${port || 443}`);
}

function texts(fields: PanelFields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

/** @throws PanelProblem PANEL_ADDRESS, PANEL_KEY when the server has none */
export function requireKey({ panelKey, address }: DriverNode): void {
  if (address === '') throw serverProblem('PANEL_ADDRESS');
  if (panelKey === '') throw serverProblem('PANEL_KEY');
}
