import { Controller } from '@nestjs/common';

import { KeyChangeController, NewKeyForm, SigningKeyController } from '../../signing/index.js';

import { FormRedirect } from '../form-results.js';
import { SIGNING_KEYS, showList } from '../lists/index.js';
import { formOf, type FormRequest, type PageRequest } from '../page-request.js';
import { StoreForm, StorePage } from '../store-page.js';

const PATH = '/store/review/key';

/** Page of the signing key and its rotation. */
@Controller()
export class SigningPages {
  constructor(
    private readonly keys: SigningKeyController,
    private readonly change: KeyChangeController,
  ) {}

  @StorePage({
    path: 'review/key',
    view: 'signing-key',
    title: 'keys.title',
    needs: ['admin'],
    menu: { title: 'keys.tab', order: 65 },
  })
  async key(request: PageRequest): Promise<object> {
    const { key_id: present, keys, row_version } = await this.keys.key();
    const list = await showList(SIGNING_KEYS, PATH, request, async () => {
      const rows = keys.reverse().map((key) => ({ ...key, id: key.key_id, state: key.key_id === present ? 'present' : 'past' }));
      return { total: rows.length, rows };
    });
    return { list, row_version };
  }

  @StoreForm({ path: 'review/key', page: 'key' }, KeyChangeController, 'rotate')
  async rotate(request: FormRequest): Promise<FormRedirect> {
    return FormRedirect.after(await this.change.rotate(request.call, formOf(NewKeyForm, request)), PATH);
  }
}
