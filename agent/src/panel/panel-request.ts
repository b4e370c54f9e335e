import http from 'node:http';
import https from 'node:https';
import tls from 'node:tls';

/** Target and content of a request to the panel. */
export interface PanelRequest {
  readonly base: URL;
  /** Path and query. */
  readonly target: string;
  readonly headers: http.OutgoingHttpHeaders;
  /** PEM text of an additional certificate authority. */
  readonly ca: string | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** Starts a `POST` request to the panel on its own connection; the certificate is verified. */
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
