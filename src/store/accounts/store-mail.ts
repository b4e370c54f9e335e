import { Injectable, Optional } from '@nestjs/common';

/** An e-mail of the store. */
export interface StoreLetter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Port for sending mail, implemented by a panel in the same process. */
export abstract class StoreMailer {
  /** @throws Error if the mail was not accepted */
  abstract send(letter: StoreLetter): Promise<void>;
}

/** Mail of the store. A standalone store sends none. */
@Injectable()
export class StoreMail {
  constructor(@Optional() private readonly mailer?: StoreMailer) {}

  /** Whether this store can send mail. */
  get isAvailable(): boolean {
    return this.mailer !== undefined;
  }

  /** Sends a mail; does nothing if this store sends none. @throws Error if the mail was not accepted */
  async send(letter: StoreLetter): Promise<void> {
    await this.mailer?.send(letter);
  }
}
