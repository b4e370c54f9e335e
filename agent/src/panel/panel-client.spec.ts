import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { AGENT_FILE } from '../../../test/support/agent-process.js';
import { FakeNodePanel } from '../../../test/support/fake-node-panel.js';
import { serveHttp, serveHttps, serveTcp, TEST_CERTIFICATE } from '../../../test/support/loopback-server.js';
import { SIGNATURES, VECTOR_NONCE, VECTOR_SECRETS, VECTOR_TIME } from '../../../test/support/node-vectors.js';
import { parseConfig } from '../config/parse-config.js';
import { AGENT_VERSION } from '../version.js';
import { PanelClient } from './panel-client.js';
import { PanelError } from './panel-error.js';
import { signingKey, signRequest } from './signature.js';
import { hashOf } from './request-head.js';

describe('signatures', () => {
  const key = signingKey(VECTOR_SECRETS.platformSecret, VECTOR_SECRETS.nodeSecret);

  it('derives the node key', () => {
    expect(key).toBe('0667f596b2aa700f65096a38a44c83a0c73908471e6546b3a7e113e598fcb379');
  });

  it.each(SIGNATURES)('signs %s like deployed agents', (act, body, sign) => {
    const target = `/api/node.php?act=${act}`;
    expect(signRequest(key, { method: 'POST', target, bodyHash: hashOf(body), time: VECTOR_TIME, nonce: VECTOR_NONCE })).toBe(sign);
  });
});

describe('PanelClient', () => {
  let panel: FakeNodePanel;
  beforeEach(async () => {
    panel = await FakeNodePanel.start();
  });
  afterEach(() => panel.close());

  const clientOf = (svc_url: string, options: { timeoutMs?: number; ca?: string } = {}): PanelClient =>
    new PanelClient(parseConfig(JSON.stringify(panel.config({ svc_url })), '/etc/agent').config, options);

  const problemOf = async (client: PanelClient): Promise<PanelError> => {
    const error: unknown = await client.call('heartbeat', {}).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof PanelError)) throw new Error(`No PanelError but ${String(error)}`);
    return error;
  };

  it('sends requests the panel accepts, each with a new nonce', async () => {
    const client = clientOf(panel.url);
    expect((await client.call('heartbeat', { node_name: '节点' })).success).toBe(true);
    expect((await client.call('heartbeat', { node_name: '节点' })).success).toBe(true);
    const [first, second] = panel.calls;
    expect(first!.body).toEqual({ node_name: '节点' });
    expect(first!.headers['user-agent']).toBe(`svc-agent/${AGENT_VERSION}`);
    expect(first!.headers['x-svc-nonce']).toMatch(/^[0-9a-f]{24}$/);
    expect(second!.headers['x-svc-nonce']).not.toBe(first!.headers['x-svc-nonce']);
  });

  it('never sends the secrets', async () => {
    await clientOf(panel.url).call('heartbeat', { node_name: 'x' });
    const sent = JSON.stringify(panel.calls);
    expect(sent).not.toContain(panel.nodeSecret);
    expect(sent).not.toContain(panel.platformSecret);
  });

  it('works below a path and with the full URL of node.php', async () => {
    await clientOf(`${panel.url}/panel/`).call('heartbeat', {});
    await clientOf(`${panel.url}/api/node.php`).call('heartbeat', {});
    expect(panel.calls).toHaveLength(2);
  });

  it.each(['data', 'top', 'both'] as const)('reads extras in: %s', async (extras) => {
    panel.extras = extras;
    const answer = await clientOf(panel.url).call('heartbeat', {});
    expect(answer.field('server_time')).toBe('2026-11-21 08:00:00');
  });

  it('returns a rejection as an answer', async () => {
    const config = parseConfig(JSON.stringify(panel.config({ node_secret: 'another' })), '/').config;
    const answer = await new PanelClient(config).call('pull_task', {});
    expect([answer.success, answer.message]).toEqual([false, '节点签名校验失败']);
  });

  it('does not follow a redirect', async () => {
    let asked = 0;
    const other = await serveHttp((_request, response) => {
      asked++;
      response.end('{}');
    });
    panel.interfere = (_call, response) => {
      response.writeHead(307, { Location: `http://127.0.0.1:${other.port}/api/node.php` }).end();
      return true;
    };
    const error = await problemOf(clientOf(panel.url));
    expect(error.kind).toBe('redirect');
    expect(error.message).toContain('svc_url');
    expect(asked).toBe(0);
    await other.close();
  });

  it.each([
    ['HTML', 200, '<html><title>Welcome</title></html>', 'format', 'svc_url'],
    ['nothing', 200, '', 'format', 'svc_url'],
    ['an array', 200, '[]', 'format', 'svc_url'],
    ['another JSON', 200, '{"code":0}', 'format', 'svc_url'],
    ['half a JSON', 200, '{"success":true,', 'format', 'svc_url'],
    ['an error', 500, 'boom', 'status', 'HTTP 500'],
    ['not found', 404, '', 'status', 'svc_url'],
  ])('explains the response: %s', async (_name, status, body, kind, text) => {
    panel.interfere = (_call, response) => {
      response.writeHead(status).end(body);
      return true;
    };
    const error = await problemOf(clientOf(panel.url));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(text);
  });

  it('reads a response with a byte order mark', async () => {
    panel.interfere = (_call, response) => {
      response.end('\uFEFF{"success":true,"code":200,"msg":"ok","data":[]}');
      return true;
    };
    expect((await clientOf(panel.url).call('heartbeat', {})).success).toBe(true);
  });

  it('stops reading a response that is too large', async () => {
    panel.interfere = (_call, response) => {
      const part = Buffer.alloc(1024 * 1024, 32);
      const more = (): void => {
        while (!response.destroyed && response.write(part));
      };
      response.on('drain', more);
      more();
      return true;
    };
    expect((await problemOf(clientOf(panel.url))).kind).toBe('size');
  });

  it('times out if the response is missing or too slow', async () => {
    panel.interfere = () => true;
    expect((await problemOf(clientOf(panel.url, { timeoutMs: 100 }))).kind).toBe('timeout');
    panel.interfere = (_call, response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
      return true;
    };
    expect((await problemOf(clientOf(panel.url, { timeoutMs: 100 }))).kind).toBe('timeout');
  });

  it('passes on the retry delay of the panel within limits', async () => {
    panel.interfere = (_call, response) => {
      response.writeHead(429, { 'Retry-After': '86400' }).end();
      return true;
    };
    expect((await problemOf(clientOf(panel.url))).retryAfterSeconds).toBe(300);
  });

  it('ends a call when the agent stops', async () => {
    const stop = new AbortController();
    panel.interfere = () => {
      stop.abort();
      return true;
    };
    await expect(clientOf(panel.url).call('heartbeat', {}, stop.signal)).rejects.toMatchObject({ kind: 'stopped' });
    await expect(clientOf(panel.url).call('heartbeat', {}, stop.signal)).rejects.toMatchObject({ kind: 'stopped' });
  });

  it('measures the clock skew', async () => {
    panel.interfere = (_call, response) => {
      response.setHeader('Date', new Date(Date.now() + 1_000_000).toUTCString());
      return false;
    };
    const client = clientOf(panel.url);
    await client.call('heartbeat', {});
    expect(client.clockSkewSeconds).toBeGreaterThan(990);
  });

  it('explains why a URL is not a panel', async () => {
    const closed = await serveHttp(() => undefined);
    await closed.close();
    expect((await problemOf(clientOf(`http://127.0.0.1:${closed.port}`))).message).toContain('Connection refused');

    const talker = await serveTcp((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    expect((await problemOf(clientOf(`http://127.0.0.1:${talker.port}`))).message).toContain('does not use plain HTTP');
    expect((await problemOf(clientOf(`https://127.0.0.1:${talker.port}`))).message).toContain('does not use TLS');
    await talker.close();
  });

  it('verifies the certificate and its host name', async () => {
    let asked = 0;
    const server = await serveHttps((_request, response) => {
      asked++;
      response.end('{"success":true,"code":200,"msg":"","data":[]}');
    });
    expect((await problemOf(clientOf(`https://127.0.0.1:${server.port}`))).message).toContain('ca_file');
    const trusting = clientOf(`https://127.0.0.1:${server.port}`, { ca: TEST_CERTIFICATE.toString() });
    expect((await problemOf(trusting)).message).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(asked).toBe(0);
    await server.close();
  });

  it('uses only Node.js modules in one file', () => {
    const source = readFileSync(AGENT_FILE, 'utf8');
    const imported = [...source.matchAll(/^import .* from "(.+)";$/gm)].map((found) => found[1]!);
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.every((name) => name.startsWith('node:'))).toBe(true);
    const required = [...source.matchAll(/__require\("([^"]+)"\)/g)].map((found) => found[1]!);
    expect(required.filter((name) => !isBuiltin(name))).toEqual([]);
    // Programs are started with arrays of arguments, and no other way.
    const started = [...source.matchAll(/^import (.*) from "node:child_process";$/gm)].map((found) => found[1]!);
    expect(started.every((names) => /^\{ spawn(?: as spawn\d+)? \}$/.test(names))).toBe(true);
    expect(source).not.toMatch(/execSync|execFile|spawnSync|shell: true|@nestjs|better-sqlite3/);
  });
});
