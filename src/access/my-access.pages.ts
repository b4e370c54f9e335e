import { Controller } from '@nestjs/common';

import { accessOf } from '../auth/index.js';
import { localeOf, translate } from '../common/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page } from '../web/index.js';

import { PermissionWords } from './permission-words.js';
import { ServersOfRoles } from './servers-of-roles.js';

/** Shows the permissions of the signed-in administrator; the page of `wdxx`. */
@Controller()
export class MyAccessPages {
  constructor(
    private readonly words: PermissionWords,
    private readonly servers: ServersOfRoles,
  ) {}

  @Page({ side: 'admin', path: 'my-access', plain: true, title: 'access.menu.my_access', own: true })
  async show(call: RequestContext): Promise<object> {
    const access = accessOf(call.admin);
    const everything = access.patterns.includes('*');
    const locale = localeOf(call.locale);
    const groups = this.words
      .choices(access, [], locale)
      .map(({ title, choices }) => ({ title, labels: choices.map(({ label }) => label) }));
    const beyond = this.words.beyond(access, locale);
    return {
      is_full: access.isFull,
      everything,
      groups: everything
        ? []
        : [...groups, ...(beyond.length > 0 ? [{ title: translate(locale, 'access.group.other'), labels: beyond }] : [])],
      servers: access.servers === null ? null : (await this.servers.list(access.servers)).map(({ code }) => code),
    };
  }
}
