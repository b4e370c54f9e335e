import { codeOf } from '../errors.js';

/** A request that failed without a response of the panel; the message says what to do. */
export class PanelError extends Error {
  /** HTTP status; 0 for none. */
  readonly status: number;
  /** Delay requested by the panel in seconds; 0 for none. */
  readonly retryAfterSeconds: number;

  constructor(
    readonly kind: 'network' | 'timeout' | 'redirect' | 'status' | 'format' | 'size' | 'stopped',
    message: string,
    { status = 0, retryAfterSeconds = 0 }: { status?: number; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Describes why a request failed and what to do. */
export function networkProblem(error: Error, base: URL): string {
  const code = codeOf(error);
  const text = `${base.host}: ${error.message || code}`;
  if (code === 'ECONNREFUSED') return `${text}. Connection refused: check that the panel is running, and the host and port of svc_url.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${text}. The host name cannot be resolved: check svc_url and the DNS of this server.`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return `${text}. The port does not use TLS: check whether svc_url must start with http:// ` + 'instead of https://.';
  if (code.startsWith('HPE_'))
    return `${text}. The port does not use plain HTTP: check whether svc_url must start with https:// ` + 'instead of http://.';
  if (/CERT|SIGNATURE|ALTNAME|SELF_SIGNED|ISSUER/.test(code))
    return `${text}. The certificate is not trusted (${code}): use a valid one, or set ca_file to its certificate authority.`;
  return text;
}
