import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../config/index.js';

import { CustomerError } from './errors.js';

const PATH = /^(\/[a-z0-9_-]{1,32}){1,3}$/;

/** Where the account pages are, which a plugin brings: links in mails, and those the reseller makes, lead there. */
@Injectable()
export class AccountPagesAddress {
  private readonly paths: string[] = [];

  constructor(private readonly baseUrl: BaseUrl) {}

  /** Says that they are at a path; the one said last holds. @returns what takes it back */
  serve(path: string): () => void {
    if (typeof path !== 'string' || !PATH.test(path))
      throw new Error(`The path of account pages is like /account, not ${JSON.stringify(path)}.`);
    this.paths.push(path);
    return () => {
      const at = this.paths.lastIndexOf(path);
      if (at >= 0) this.paths.splice(at, 1);
    };
  }

  /** Whether a plugin brings them. */
  get served(): boolean {
    return this.paths.length > 0;
  }

  /** @throws CustomerError PAGES_OFF while no plugin brings them */
  get path(): string {
    const path = this.paths.at(-1);
    if (path === undefined) throw new CustomerError('PAGES_OFF');
    return path;
  }

  /** The whole address of something below them. */
  address(path: string, below: string): string {
    return `${this.baseUrl.current()}${path}${below}`;
  }
}
