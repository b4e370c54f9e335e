import type { IncomingMessage } from 'node:http';

import { PanelProblem, refusal, serverProblem } from './panel-problem.js';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MESSAGE = 300;

/** An object in a response of the panel. */
export type PanelRecord = Readonly<Record<string, unknown>>;

/** Reads the whole body of a response. @throws PanelProblem `unknown` when it is cut off or too large */
export async function readBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new Error('The response of the server panel is too large.');
      chunks.push(chunk);
    }
  } catch (error) {
    throw new PanelProblem({ outcome: 'unknown', message: (error as Error).message }, { cause: error });
  }
  return Buffer.concat(chunks).toString();
}

/**
 * Parses a response. A panel with its API switched off redirects to its login page or shows a "not found" page.
 *
 * @throws PanelProblem PANEL_KEY, PANEL_IP, PANEL_BANNED, PANEL_API_OFF; `unknown` for a response that cannot be interpreted
 */
export function readAnswer(status: number, body: string): unknown {
  const json = parsed(body);
  if (json === undefined) {
    if ((status >= 300 && status < 500) || /^\s*</.test(body)) {
      if (status >= 500) throw new PanelProblem({ outcome: 'unknown', message: `HTTP ${status}` });
      throw serverProblem('PANEL_API_OFF', { status });
    }
    throw new PanelProblem({ outcome: 'unknown', message: `HTTP ${status}, not a response of a server panel` });
  }
  if (status >= 500) throw new PanelProblem({ outcome: 'unknown', message: `HTTP ${status}` });
  const problem = accessProblem(json);
  if (problem) throw problem;
  return json;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function accessProblem(json: unknown): PanelProblem | null {
  if (!isRecord(json) || json.status !== false) return null;
  const text = messageOf(json);
  if (text.includes('密钥校验失败')) return serverProblem('PANEL_KEY');
  if (/连续\d+次验证失败/.test(text)) return serverProblem('PANEL_BANNED');
  const [, ip] = /IP校验失败.*?\[([^\]]{1,100})\]/.exec(text) ?? [];
  return ip === undefined ? null : serverProblem('PANEL_IP', { ip });
}

/** Returns whether a value is an object. */
export function isRecord(value: unknown): value is PanelRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of an array; other elements are left out. */
export function rowsOf(value: unknown): PanelRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns a value of a response as text; empty for anything but strings, numbers and booleans. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Returns the message of a response as plain text: it may be a list, or contain markup. */
export function messageOf(json: PanelRecord): string {
  const { msg } = json;
  const text = Array.isArray(msg) ? msg.map((part) => (isRecord(part) ? JSON.stringify(part) : textOf(part))).join(' ') : textOf(msg);
  const plain = text
    .replace(/<[^>]{0,500}>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return (plain || JSON.stringify(msg ?? json)).slice(0, MAX_MESSAGE).toWellFormed();
}

/** Checks the response to an action. @throws PanelProblem with the panel's message if it failed */
export function requireDone(json: unknown): PanelRecord {
  if (!isRecord(json)) throw new PanelProblem({ outcome: 'unknown', message: 'not a response of a server panel' });
  if (json.status === true) return json;
  if (json.status === false) throw refusal(messageOf(json));
  throw new PanelProblem({ outcome: 'unknown', message: messageOf(json) });
}

/** Checks the response to a query. @throws PanelProblem with the panel's message if it failed */
export function requireData(json: unknown): PanelRecord {
  if (isRecord(json) && json.status === false && json.msg !== undefined) throw refusal(messageOf(json));
  if (!isRecord(json)) throw new PanelProblem({ outcome: 'unknown', message: 'not a response of a server panel' });
  return json;
}
