import type { TransportConfig } from 'nodemailer';

import { MailFailure, mailFailureOf } from './mail-failure.js';

/** How a connection to a mail server is protected: from its first byte, after a greeting in the open, or not at all. */
export const MAIL_TLS = ['ssl', 'starttls', 'none'] as const;

/** One of {@link MAIL_TLS}. */
export type MailTls = (typeof MAIL_TLS)[number];

/** Where mails go out. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly tls: MailTls;
  /** Empty: nobody signs in. */
  readonly user: string;
  readonly password: string;
}

/** A mail to one person. */
export interface Mail {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** `<…@…>`; made up where nothing is given. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds: each step by itself, and everything together, for servers that say one byte a second. */
export interface SmtpPatience {
  readonly step: number;
  readonly whole: number;
}

const PATIENCE: SmtpPatience = { step: 10_000, whole: 45_000 };

/** Hands a mail to a server. The library is loaded with the first one. @throws MailFailure saying why not */
export async function sendBySmtp(server: SmtpServer, mail: Mail, patience = PATIENCE): Promise<void> {
  const place = `${server.host}:${server.port}`;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(optionsOf(server, patience));
  let deadline: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(new MailFailure('TIMED_OUT', { server: place })), patience.whole);
  });
  try {
    const { from, to, subject, text, html, messageId, headers } = mail;
    await Promise.race([
      transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
        // Whoever answers by himself, as holidays do, does not answer a program. Source: RFC 3834, 5.
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
      tooLong,
    ]);
  } catch (error) {
    throw mailFailureOf(error, place);
  } finally {
    clearTimeout(deadline);
    transport.close();
  }
}

function optionsOf({ host, port, tls, user, password }: SmtpServer, { step }: SmtpPatience): TransportConfig {
  return {
    host,
    port,
    secure: tls === 'ssl',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user ? { auth: { user, pass: password } } : {}),
    dnsTimeout: step,
    connectionTimeout: step,
    greetingTimeout: step,
    socketTimeout: step,
  };
}
