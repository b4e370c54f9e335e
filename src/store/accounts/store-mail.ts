import { Injectable, Optional } from '@nestjs/common';

/** A mail of the store. */
export interface StoreLetter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Port for sending mail: a panel in the same process implements it. */
export abstract class StoreMailer {
  /** @throws Error where the mail was not taken */
  abstract send(letter: StoreLetter): Promise<void>;
}

/** Mail of the store. A store by itself sends none. */
@Injectable()
export class StoreMail {
  constructor(@Optional() private readonly mailer?: StoreMailer) {}

  /** Whether mail is sent. */
  get isThere(): boolean {
    return this.mailer !== undefined;
  }

  /** Sends one; where none is sent, nothing happens. @throws Error where the mail was not taken */
  async send(letter: StoreLetter): Promise<void> {
    await this.mailer?.send(letter);
  }
}
