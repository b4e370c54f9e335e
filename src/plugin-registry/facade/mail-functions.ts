import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';

import { BackgroundQueue, BackgroundTask } from '../../jobs/index.js';
import { Mailer, textAsHtml } from '../../notify/index.js';
import type { MailRequest, MailService } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { withPermission } from './with-permission.js';

const TASK = 'plugin-mail';
const MAX_SUBJECT = 200;
const MAX_TEXT = 20_000;
const MAX_KEY = 80;
/** Maximum length of a task's key; the start is cut off, so that the plugin's own key is never shortened for a long slug. */
const MAX_TASK_KEY = 120;

/** Mails of plugins: queued in the current transaction, and sent in the background. */
@Injectable()
export class MailFunctionsFactory {
  constructor(
    private readonly mailer: Mailer,
    private readonly queue: BackgroundQueue,
  ) {}

  serviceFor(plugin: PluginPackage): MailService {
    const { slug } = plugin;
    return withPermission(plugin, 'mail', 'svc.mail', {
      isSetUp: () => this.mailer.isSetUp,
      send: async (mail: MailRequest) => {
        const { to, subject, text, key } = checked(slug, mail);
        await this.queue.add(
          TASK,
          { to, subject, text },
          { by: slug, ...(key === undefined ? {} : { key: `${slug}:${key}`.slice(-MAX_TASK_KEY) }) },
        );
      },
    });
  }

  @BackgroundTask({ name: TASK, attempts: 5, backoffSeconds: 30, timeoutMinutes: 2, concurrency: 2, forgetDone: true })
  async send({ to, subject, text }: MailRequest): Promise<void> {
    await this.mailer.send({ to, subject, text, html: textAsHtml(text) });
  }
}

/** @throws Error describing the problem */
function checked(slug: string, mail: MailRequest): MailRequest {
  const refuse = (problem: string): never => {
    throw new Error(`${slug}: the mail cannot be sent: ${problem}.`);
  };
  const { to, subject, text, key } = mail;
  if (!isEmail(to)) refuse('"to" must be one mail address');
  if (typeof subject !== 'string' || subject.trim() === '' || subject.length > MAX_SUBJECT || /[\r\n]/.test(subject))
    refuse(`"subject" must be a line of 1 to ${MAX_SUBJECT} characters`);
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT) refuse(`"text" must have 1 to ${MAX_TEXT} characters`);
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > MAX_KEY))
    refuse(`"key" must have 1 to ${MAX_KEY} characters`);
  return mail;
}
