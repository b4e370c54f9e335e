import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';

import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';

import { serveTcp, TEST_CERTIFICATE } from '../../../test/support/loopback-server.js';
import { LOCALES, translate } from '../../common/index.js';

import { MailFailure, type MailFailureCode } from './mail-failure.js';
import { sendBySmtp, type SmtpServer } from './smtp.js';
import '../texts.js';

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
    key: TEST_CERTIFICATE,
    cert: TEST_CERTIFICATE,
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
async function failureOf(server: SmtpServer, patience = PATIENCE, ca?: Buffer): Promise<MailFailure> {
  const failure = await sendBySmtp(server, MAIL, patience, ca).then(
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
  it('arrives with its sender, subject and text, and with no line the caller did not write', async () => {
    const { port, mails } = await mailServer();
    await sendBySmtp(at(port), { ...MAIL, subject: 'one\r\nBcc: evil@mail.test', headers: { 'X-One': '1' } }, PATIENCE);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatch(/^From: .*<panel@sail\.test>\r$/m);
    expect(mails[0]).toMatch(/^To: reader@mail\.test\r$/m);
    expect(mails[0]).toMatch(/^X-One: 1\r$/m);
    expect(mails[0]).not.toMatch(/^Bcc:/m);
  });

  it('goes to one receiver however the address is written', async () => {
    const receivers: string[] = [];
    const { port } = await mailServer({ onRcptTo: ({ address }, _session, done) => (receivers.push(address), done()) });
    await sendBySmtp(at(port), { ...MAIL, to: 'a@mail.test, b@mail.test' }, PATIENCE).catch(() => undefined);
    await sendBySmtp(at(port), { ...MAIL, to: 'A <a@mail.test>, b@mail.test' }, PATIENCE).catch(() => undefined);
    expect(receivers.filter((address) => address === 'b@mail.test')).toEqual([]);
  });

  it.each(['ssl', 'starttls'] as const)(
    'is not sent with %s to who has the certificate of another name, whoever signed it',
    async (tls) => {
      const seen: string[] = [];
      const { port, mails } = await mailServer({
        secure: tls === 'ssl',
        disabledCommands: [],
        onAuth: ({ username }, _session, done) => (seen.push(username ?? ''), done(null, { user: username })),
      });
      const server = at(port, { tls, user: 'me', password: 'secret' });
      expect((await failureOf(server, PATIENCE, TEST_CERTIFICATE)).code).toBe('CERTIFICATE');
      expect([mails, seen]).toEqual([[], []]);
    },
  );

  it('goes out after a sign-in', async () => {
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

describe('what fails is explained', () => {
  const expectCode = async (server: SmtpServer, code: MailFailureCode, lasting: boolean, patience = PATIENCE) => {
    const failure = await failureOf(server, patience);
    expect([failure.code, failure.isLasting]).toEqual([code, lasting]);
    for (const locale of LOCALES) {
      const { text } = failure.shape;
      expect(translate(locale, text, failure.params)).not.toContain(text);
    }
  };

  it('a name nobody has', () => expectCode(at(25, { host: 'no-such-host.invalid' }), 'NAME_NOT_FOUND', false));

  it('a port where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    await expectCode(at(port), 'CONNECTION_REFUSED', false);
  });

  it('a server that says nothing', async () => expectCode(at(await talking()), 'TIMED_OUT', false, SHORT));

  it('a server that stops in the middle', async () => expectCode(at(await talking('220 hello', '250 hello')), 'TIMED_OUT', false, SHORT));

  it('a server that hangs up', async () => expectCode(at(await talking('220 hello', '250 hello', null)), 'CONNECTION_LOST', false));

  it('something else than a mail server', async () => expectCode(at(await talking('SSH-2.0-OpenSSH_9.6')), 'NO_MAIL_SERVER', false));

  it('a certificate of nobody', async () => {
    const { port } = await mailServer({ secure: true });
    await expectCode(at(port, { tls: 'ssl' }), 'CERTIFICATE', true);
  });

  it('encryption from the first byte where the server waits for a greeting, and the other way round', async () => {
    const { port } = await mailServer();
    await expectCode(at(port, { tls: 'ssl' }), 'NO_TLS', true);
    await expectCode(at(port, { tls: 'starttls' }), 'NO_TLS', true);
  });

  it('TLS that is dropped', async () =>
    expectCode(at(await talking('220 hello', '250-hello\r\n250 STARTTLS', '220 go', null), { tls: 'starttls' }), 'CONNECTION_LOST', false));

  it('a wrong password, and none where one is wanted', async () => {
    const { port } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusing(535, 'Bad credentials')),
    });
    await expectCode(at(port, { user: 'me', password: 'wrong' }), 'WRONG_PASSWORD', true);
    await expectCode(at(port), 'LOGIN_NEEDED', true);
  });

  it('a sender, a receiver and a text that are refused', async () => {
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

  it('greylisting: later it works', async () => {
    let tries = 0;
    const { port, mails } = await mailServer({
      onRcptTo: (_address, _session, done) => done((tries += 1) > 1 ? null : refusing(451, 'try again later')),
    });
    await expectCode(at(port), 'LATER', false);
    await sendBySmtp(at(port), MAIL, PATIENCE);
    expect(mails).toHaveLength(1);
  });
});
