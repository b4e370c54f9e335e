import { MailFailure, type Mailer } from '../../../notify/index.js';
import type { TestMail, TestMailMessage } from '../../../sdk/testing.js';

/** Name of the server in messages. */
const SERVER = 'mail.test:25';

/** Fake mail server of a tested panel. */
export class FakeMail implements TestMail {
  readonly sent: TestMailMessage[] = [];
  behaviour: TestMail['behaviour'] = 'take';
  private readonly waiting = new Set<() => void>();

  static install(mailer: Mailer): FakeMail {
    const fake = new FakeMail();
    Object.defineProperty(mailer, 'isSetUp', { value: true });
    mailer.send = (mail) => fake.take(mail);
    return fake;
  }

  /** Ends pending sends. */
  close(): void {
    for (const end of this.waiting) end();
  }

  private async take({ to, subject, text }: TestMailMessage): Promise<void> {
    if (this.behaviour === 'hang') {
      await new Promise<void>((end) => this.waiting.add(end));
      throw new MailFailure('TIMED_OUT', { server: SERVER });
    }
    if (this.behaviour === 'refuse') throw new MailFailure('MESSAGE_REFUSED', { server: SERVER, reply: '550 No' });
    if (this.behaviour === 'later') throw new MailFailure('LATER', { server: SERVER, reply: '451 Later' });
    this.sent.push({ to, subject, text });
  }
}
