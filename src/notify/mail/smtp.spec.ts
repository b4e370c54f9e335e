import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';

import { serveTcp } from '../../../test/support/loopback-server.js';
import { LOCALES, PACKAGE_ROOT, translate } from '../../common/index.js';

import { MailFailure, type MailFailureCode } from './mail-failure.js';
import { sendBySmtp, type SmtpServer } from './smtp.js';

const PATIENCE = { step: 8_000, whole: 20_000 };
/** For servers that never answer. */
const SHORT = { step: 300, whole: 1_200 };
const MAIL = { from: { name: '云帆 "Sail"', address: 'panel@sail.test' }, to: 'reader@mail.test', subject: '主机到期', text: 'Body' };
const open: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** A mail server; what it took stands in `mails`. */
async function mailServer(options: SMTPServerOptions = {}): Promise<{ port: number; mails: string[] }> {
  const mails: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (part: Buffer) => (text += part.toString()));
      stream.on('end', () => (mails.push(text), done()));
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  open.push({ close: () => new Promise<void>((resolve) => server.close(() => resolve())) });
  return { port: (server.server.address() as { port: number }).port, mails };
}
const at = (port: number, over: Partial<SmtpServer> = {}): SmtpServer => ({
  host: '127.0.0.1',
  port,
  tls: 'none',
  user: '',
  password: '',
  ...over,
});
async function failureOf(server: SmtpServer, patience = PATIENCE): Promise<MailFailure> {
  const failure = await sendBySmtp(server, MAIL, patience).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(MailFailure);
  return failure as MailFailure;
}
/** A server that says these lines, one to each command, and then nothing. */
async function talking(...lines: (string | null)[]): Promise<number> {
  const server = await serveTcp((socket: Socket) => {
    const left = [...lines];
    const say = () => {
      const line = left.shift();
      if (line === null) socket.destroy();
      else if (line !== undefined) socket.write(`${line}\r\n`);
    };
    say();
    socket.on('data', say);
  });
  open.push(server);
  return server.port;
}
const refusing = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });

describe('a mail', () => {
  it('arrives with its sender, subject and text, without injected headers', async () => {
    const { port, mails } = await mailServer();
    await sendBySmtp(at(port), { ...MAIL, subject: 'one\r\nBcc: evil@mail.test', headers: { 'X-One': '1' } }, PATIENCE);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatch(/^From: .*<panel@sail\.test>\r$/m);
    expect(mails[0]).toMatch(/^To: reader@mail\.test\r$/m);
    expect(mails[0]).toMatch(/^X-One: 1\r$/m);
    expect(mails[0]).not.toMatch(/^Bcc:/m);
  });

  it('goes to one recipient however the address is written', async () => {
    const receivers: string[] = [];
    const { port } = await mailServer({ onRcptTo: ({ address }, _session, done) => (receivers.push(address), done()) });
    await sendBySmtp(at(port), { ...MAIL, to: 'a@mail.test, b@mail.test' }, PATIENCE).catch(() => undefined);
    await sendBySmtp(at(port), { ...MAIL, to: 'A <a@mail.test>, b@mail.test' }, PATIENCE).catch(() => undefined);
    expect(receivers.filter((address) => address === 'b@mail.test')).toEqual([]);
  });

  it('is sent after authentication', async () => {
    const { port, mails } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'me' && password === 'pässword 密' ? done(null, { user: 'me' }) : done(refusing(535, 'no')),
    });
    await sendBySmtp(at(port, { user: 'me', password: 'pässword 密' }), MAIL, PATIENCE);
    expect(mails).toHaveLength(1);
  });
});

describe('a mail server with TLS', () => {
  interface Sent {
    /** Of the failure; null where the mail left. */
    readonly code: string | null;
    readonly text: string;
  }

  /** Sends a mail to each from a process that was started with that authority, as the panel is. */
  async function sendFrom(env: NodeJS.ProcessEnv, servers: readonly SmtpServer[]): Promise<Sent[]> {
    const built = (path: string): string => JSON.stringify(pathToFileURL(join(PACKAGE_ROOT, 'dist/src', path)).href);
    const script = `
      import { sendBySmtp } from ${built('notify/mail/smtp.js')};
      import { translate } from ${built('common/index.js')};
      import ${built('notify/texts.js')};
      const [servers, mail, patience] = ${JSON.stringify([servers, MAIL, PATIENCE])};
      const send = (server) => sendBySmtp(server, mail, patience).then(
        () => ({ code: null, text: '' }),
        (failure) => ({ code: failure.code, text: translate('en', failure.shape.text, failure.params) }),
      );
      console.log(JSON.stringify(await Promise.all(servers.map(send))));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
    return JSON.parse(stdout) as Sent[];
  }
  const tlsFile = (name: string): string => join(PACKAGE_ROOT, 'test/support/tls', name);
  const withCertificate = (name: string): Pick<SMTPServerOptions, 'key' | 'cert'> => {
    const pem = readFileSync(tlsFile(name));
    return { key: pem, cert: pem };
  };
  const KINDS = ['ssl', 'starttls'] as const;

  it('receives the mail and password only if its certificate is trusted, valid and matches its name', async () => {
    const seen: string[] = [];
    const serve = async (certificate: string, tls: SmtpServer['tls'], over: SMTPServerOptions = {}) => {
      const server = await mailServer({
        ...withCertificate(certificate),
        secure: tls === 'ssl',
        disabledCommands: [],
        onAuth: ({ username, password }, { secure }, done) => (seen.push(`${password} ${secure}`), done(null, { user: username })),
        ...over,
      });
      return { ...server, at: at(server.port, { tls, user: 'me', password: `${certificate} ${tls}` }) };
    };
    const good = await Promise.all(KINDS.map((tls) => serve('loopback.pem', tls)));
    const bad = await Promise.all(
      ['mail.test.pem', 'loopback-expired.pem', 'other.test.pem'].flatMap((file) => KINDS.map((tls) => serve(file, tls))),
    );
    const plain = await serve('loopback.pem', 'none');
    // One that would speak TLS, and somebody on the way who takes the offer out.
    const stripped = await serve('loopback.pem', 'starttls', { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    const known = { NODE_EXTRA_CA_CERTS: tlsFile('authority.pem') };
    const servers = [...good.map((one) => one.at), ...bad.map((one) => one.at), { ...plain.at, tls: 'ssl' as const }, stripped.at];
    const [toKnown, toUnknown] = await Promise.all([sendFrom(known, servers), sendFrom({}, [good[0]!.at, good[1]!.at])]);
    expect(toKnown.map(({ code }) => code)).toEqual([
      ...[null, null],
      ...['CERTIFICATE_NAME', 'CERTIFICATE_NAME'],
      ...['CERTIFICATE_DATE', 'CERTIFICATE_DATE'],
      ...['CERTIFICATE_UNKNOWN', 'CERTIFICATE_UNKNOWN'],
      ...['NO_TLS', 'NO_TLS'],
    ]);
    expect(toUnknown.map(({ code }) => code)).toEqual(['CERTIFICATE_UNKNOWN', 'CERTIFICATE_UNKNOWN']);
    for (const [nth, words] of [
      [2, 'for another name'],
      [4, 'has expired'],
      [6, 'NODE_EXTRA_CA_CERTS'],
      [8, '465'],
    ] as const)
      expect(toKnown[nth]!.text).toContain(words);
    expect(good.map(({ mails }) => mails.length)).toEqual([1, 1]);
    expect([...bad, plain, stripped].flatMap(({ mails }) => mails)).toEqual([]);
    expect(seen.sort()).toEqual(['loopback.pem ssl true', 'loopback.pem starttls true']);
  });
});

describe('errors are explained', () => {
  const expectCode = async (server: SmtpServer, code: MailFailureCode, lasting: boolean, patience = PATIENCE) => {
    const failure = await failureOf(server, patience);
    expect([failure.code, failure.isLasting]).toEqual([code, lasting]);
    for (const locale of LOCALES) {
      const { text } = failure.shape;
      expect(translate(locale, text, failure.params)).not.toContain(text);
    }
  };

  it('an unknown host name', () => expectCode(at(25, { host: 'no-such-host.invalid' }), 'NAME_NOT_FOUND', false));

  it('a closed port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    await expectCode(at(port), 'CONNECTION_REFUSED', false);
  });

  it('a server that does not respond', async () => expectCode(at(await talking()), 'TIMED_OUT', false, SHORT));

  it('a server that stops responding midway', async () =>
    expectCode(at(await talking('220 hello', '250 hello')), 'TIMED_OUT', false, SHORT));

  it('a server that closes the connection', async () =>
    expectCode(at(await talking('220 hello', '250 hello', null)), 'CONNECTION_LOST', false));

  it('a server that is not a mail server', async () => expectCode(at(await talking('SSH-2.0-OpenSSH_9.6')), 'NO_MAIL_SERVER', false));

  it('implicit TLS on a STARTTLS port and vice versa', async () => {
    const { port } = await mailServer();
    await expectCode(at(port, { tls: 'ssl' }), 'NO_TLS', true);
    await expectCode(at(port, { tls: 'starttls' }), 'NO_TLS', true);
  });

  it('a dropped TLS connection', async () =>
    expectCode(at(await talking('220 hello', '250-hello\r\n250 STARTTLS', '220 go', null), { tls: 'starttls' }), 'CONNECTION_LOST', false));

  it('a wrong password and a missing password', async () => {
    const { port } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusing(535, 'Bad credentials')),
    });
    await expectCode(at(port, { user: 'me', password: 'wrong' }), 'WRONG_PASSWORD', true);
    await expectCode(at(port), 'LOGIN_NEEDED', true);
  });

  it('a rejected sender, recipient and text', async () => {
    const sender = await mailServer({ onMailFrom: (_address, _session, done) => done(refusing(553, 'not yours')) });
    await expectCode(at(sender.port), 'SENDER_REFUSED', true);
    const receiver = await mailServer({ onRcptTo: (_address, _session, done) => done(refusing(550, 'no such mailbox')) });
    const failure = await failureOf(at(receiver.port));
    expect([failure.code, failure.params.reply]).toEqual(['RECEIVER_REFUSED', expect.stringContaining('no such mailbox')]);
    const text = await mailServer({
      onData: (stream, _session, done) => void stream.on('end', () => done(refusing(554, 'spam'))).resume(),
    });
    await expectCode(at(text.port), 'MESSAGE_REFUSED', true);
  });

  it('greylisting: a later attempt works', async () => {
    let tries = 0;
    const { port, mails } = await mailServer({
      onRcptTo: (_address, _session, done) => done((tries += 1) > 1 ? null : refusing(451, 'try again later')),
    });
    await expectCode(at(port), 'LATER', false);
    await sendBySmtp(at(port), MAIL, PATIENCE);
    expect(mails).toHaveLength(1);
  });
});
