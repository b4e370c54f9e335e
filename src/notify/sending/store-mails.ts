import { Injectable } from '@nestjs/common';

import type { StoreLetter, StoreMailer } from '../../store/index.js';
import { Mailer } from '../mail/index.js';

import { textAsHtml } from './mail-html.js';

/** Sends the mails of a store in this process through the panel's mail server. */
@Injectable()
export class StoreMails implements StoreMailer {
  constructor(private readonly mailer: Mailer) {}

  async send({ to, subject, text }: StoreLetter): Promise<void> {
    await this.mailer.send({ to, subject, text, html: textAsHtml(text) });
  }
}
