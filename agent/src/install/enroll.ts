import http from 'node:http';
import https from 'node:https';

import type { EnrollRequest } from '../../../src/agents/wire/node-api.js';

import { isLoopback } from '../config/panel-address.js';
import { readAnswer } from '../panel/answer.js';
import { asRecord } from '../record.js';
import { AGENT_VERSION } from '../version.js';
import { InstallProblem } from './install-problem.js';

const MAX_RESPONSE_LENGTH = 64 * 1024;
const TIMEOUT_MS = 15_000;

/**
 * Exchanges an enrollment token for the agent's config with its secrets, over HTTPS or on this machine.
 *
 * @throws InstallProblem
 */
export async function enroll(panel: string, token: string): Promise<Record<string, unknown>> {
  const url = addressOf(panel);
  const body = JSON.stringify({ token, version: AGENT_VERSION } satisfies EnrollRequest);
  const { status, headers, text } = await post(url, body);
  const answer = readAnswer(status, headers, text);
  const config = asRecord(answer.field('config'));
  if (answer.success && config) return config;
  throw new InstallProblem(
    `The panel rejected this server: ${answer.message || 'no reason given.'} A token is valid once, for 15 minutes.`,
  );
}

/** @throws InstallProblem for an address that is not safe for secrets */
function addressOf(panel: string): URL {
  let url: URL;
  try {
    url = new URL(panel);
  } catch {
    throw new InstallProblem(`"${panel}" is not an address. Copy it from the panel, for example https://panel.example.com`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw new InstallProblem(
      'The address of the panel must start with https://, unless it runs on this machine: the panel sends secrets of this server.',
    );
  return new URL(`${url.pathname.replace(/\/+$/, '')}/api/node.php?act=enroll`, url);
}

function post(url: URL, body: string): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
      Accept: 'application/json',
      // The panel's message is shown within English output.
      'Accept-Language': 'en',
    };
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      { method: 'POST', headers, timeout: TIMEOUT_MS, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
          if (text.length > MAX_RESPONSE_LENGTH) request.destroy(new Error('The response is too large'));
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    request.on('timeout', () => request.destroy(new Error('The panel did not respond in time')));
    request.on('error', (error) => reject(new InstallProblem(`${url.host}: ${error.message}`)));
    request.end(body);
  });
}
