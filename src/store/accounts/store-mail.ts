import { Injectable } from '@nestjs/common';

/** A mail of the store. */
export interface StoreLetter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** How the store sends mail: what beside it can, says so. A store by itself sends none. */
@Injectable()
export class StoreMail {
  private sender: ((letter: StoreLetter) => Promise<void>) | null = null;

  /** Whether mail is sent. */
  get isThere(): boolean {
    return this.sender !== null;
  }

  /** Has mail sent this way from now on. */
  sendBy(sender: (letter: StoreLetter) => Promise<void>): void {
    this.sender = sender;
  }

  /** Sends one; without a sender none. */
  async send(letter: StoreLetter): Promise<void> {
    await this.sender?.(letter);
  }
}
