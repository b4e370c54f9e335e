import { Injectable } from '@nestjs/common';

/** Language of visitors who have not chosen one; empty follows their browser. Set from the site's configuration. */
@Injectable()
export class SiteLocale {
  private value = '';

  current(): string {
    return this.value;
  }

  set(locale: string): void {
    this.value = locale;
  }
}
