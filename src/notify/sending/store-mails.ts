import { Injectable, type OnModuleInit, Optional } from '@nestjs/common';

import { StoreMail } from '../../store/index.js';
import { Mailer } from '../mail/index.js';

import { textAsHtml } from './mail-html.js';

/** Sends the mails of a store that runs in this process, by the server the panel sends by. */
@Injectable()
export class StoreMails implements OnModuleInit {
  constructor(
    private readonly mailer: Mailer,
    @Optional() private readonly store?: StoreMail,
  ) {}

  onModuleInit(): void {
    this.store?.sendBy(async ({ to, subject, text }) => {
      await this.mailer.send({ to, subject, text, html: textAsHtml(text) });
    });
  }
}
