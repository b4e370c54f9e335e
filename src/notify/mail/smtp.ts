import type { TransportConfig } from 'nodemailer';

import { MailFailure, mailFailureOf } from './mail-failure.js';

/** Connection security: implicit TLS, STARTTLS or none. */
export const MAIL_TLS = ['ssl', 'starttls', 'none'] as const;

/** One of {@link MAIL_TLS}. */
export type MailTls = (typeof MAIL_TLS)[number];

/** Outgoing mail server. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly tls: MailTls;
  /** Empty for no authentication. */
  readonly user: string;
  readonly password: string;
}

/** A mail to one recipient. */
export interface Mail {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** `<…@…>`; generated if omitted. */
  readonly messageId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Timeouts in milliseconds: per step, and overall for servers that respond extremely slowly. */
export interface SmtpTimeouts {
  readonly step: number;
  readonly whole: number;
}

const TIMEOUTS: SmtpTimeouts = { step: 10_000, whole: 45_000 };

/** Sends a mail. The library is loaded on first use. @throws MailFailure with the reason */
export async function sendBySmtp(server: SmtpServer, mail: Mail, timeouts = TIMEOUTS): Promise<void> {
  const address = `${server.host}:${server.port}`;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(optionsOf(server, timeouts));
  let deadline: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(new MailFailure('TIMED_OUT', { server: address })), timeouts.whole);
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
        // Suppresses automatic replies such as vacation notices. Source: RFC 3834, 5.
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
      tooLong,
    ]);
  } catch (error) {
    throw mailFailureOf(error, address);
  } finally {
    clearTimeout(deadline);
    transport.close();
  }
}

function optionsOf({ host, port, tls, user, password }: SmtpServer, { step }: SmtpTimeouts): TransportConfig {
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
