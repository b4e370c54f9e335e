import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../config/index.js';

import { CustomerError } from './errors.js';

const PATH = /^(\/[a-z0-9_-]{1,32}){1,3}$/;

/** URL of the account pages, which are provided by a plugin: used for links in mails and links created by the reseller. */
@Injectable()
export class AccountPagesAddress {
  private readonly paths: string[] = [];

  constructor(private readonly baseUrl: BaseUrl) {}

  /** Registers their path; the last registration wins. @returns a function that removes it */
  serve(path: string): () => void {
    if (typeof path !== 'string' || !PATH.test(path))
      throw new Error(`The path of account pages is like /account, not ${JSON.stringify(path)}.`);
    this.paths.push(path);
    return () => {
      const at = this.paths.lastIndexOf(path);
      if (at >= 0) this.paths.splice(at, 1);
    };
  }

  /** Whether a plugin provides them. */
  get served(): boolean {
    return this.paths.length > 0;
  }

  /** @throws CustomerError PAGES_OFF if no plugin provides them */
  get path(): string {
    const path = this.paths.at(-1);
    if (path === undefined) throw new CustomerError('PAGES_OFF');
    return path;
  }

  /** Returns the complete URL of a path below them. */
  address(path: string, below: string): string {
    return `${this.baseUrl.current()}${path}${below}`;
  }
}
