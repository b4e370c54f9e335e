import { Injectable } from '@nestjs/common';

import type { StoreLetter, StoreMailer } from '../../store/index.js';
import { Mailer } from '../mail/index.js';

import { textAsHtml } from './mail-html.js';

/** Sends the mails of a store that runs in this process, by the server the panel sends by. */
@Injectable()
export class StoreMails implements StoreMailer {
  constructor(private readonly mailer: Mailer) {}

  async send({ to, subject, text }: StoreLetter): Promise<void> {
    await this.mailer.send({ to, subject, text, html: textAsHtml(text) });
  }
}
