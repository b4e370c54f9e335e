import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';

/** Where a request to the panel goes, and what it carries. */
export interface PanelRequest {
  readonly base: URL;
  /** Path and query. */
  readonly target: string;
  readonly headers: http.OutgoingHttpHeaders;
  /** PEM text of a further authority. */
  readonly ca: string | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** Begins a `POST` to the panel, on a connection of its own; its certificate must be good. */
export function panelRequest({ base, target, headers, ca, signal }: PanelRequest): http.ClientRequest {
  const secure = base.protocol === 'https:';
  const options = {
    method: 'POST',
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port || (secure ? 443 : 80),
    path: target,
    headers: { Host: base.host, ...headers },
    agent: false as const,
    ...(signal && { signal }),
  };
  if (!secure) return http.request(options);
  return https.request({ ...options, rejectUnauthorized: true, ...(ca !== undefined && { ca: [...tls.rootCertificates, ca] }) });
}
