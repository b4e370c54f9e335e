import { once } from 'node:events';

import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** Mail server on a free port of 127.0.0.1, with the received mails: envelope and text. */
export interface TestMailServer {
  readonly port: number;
  readonly mails: { readonly to: string; readonly text: string }[];
  close(): Promise<void>;
}

/** Returns an SMTP error response. */
export const refusal = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });

/** Starts a mail server without TLS that accepts everything, unless `options` say otherwise. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const mails: TestMailServer['mails'] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text: Buffer.concat(parts).toString() });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as { port: number }).port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
