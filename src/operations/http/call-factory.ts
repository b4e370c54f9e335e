import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { ClientAddress } from '../../auth/index.js';
import { chooseLocale, type Locale } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import type { Scope } from '../../sdk/index.js';

import { parseForm, parseJsonBody, parseMultipart, readBody, type MultipartLimits } from '../body.js';
import { SiteLocale } from './site-locale.js';

import { EMPTY_BODY, HttpCall, cookiesOf, parseQuery, type CallDetails } from './call.js';
import { Identities } from './identities.js';
import { UploadBudget } from './upload-budget.js';

/** Largest body of a request without files, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Limits of a multipart body where nobody sends files: whoever has shown nothing yet fills no memory with some. */
export const FORM_ONLY: MultipartLimits = { files: 0, totalBytes: MAX_BODY_BYTES };

type BodyDetails = Pick<CallDetails, 'body' | 'rawBody' | 'files'>;

/** Makes the {@link HttpCall} of a request: reads its body, finds out who sent it. */
@Injectable()
export class CallFactory {
  private readonly uploads = new UploadBudget();

  constructor(
    private readonly identities: Identities,
    private readonly addresses: ClientAddress,
    private readonly baseUrl: BaseUrl,
    private readonly siteLocale: SiteLocale,
  ) {}

  /**
   * @param scope side of the panel the request is for
   * @param multipart limits of a multipart body; those of {@link parseMultipart} where nothing is given
   * @throws BodyError when the body is too large or cannot be read
   */
  async create(req: IncomingMessage, scope: Scope | 'public', multipart?: MultipartLimits): Promise<HttpCall> {
    const url = req.url ?? '/';
    const cookies = cookiesOf(req.headers);
    const method = req.method ?? 'GET';
    // Ignoring case: https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
    const type = (req.headers['content-type'] ?? '').toLowerCase();
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const isMultipart = hasBody && type.startsWith('multipart/form-data');
    const [fields, admin, user] = await Promise.all([
      hasBody && !isMultipart ? readFields(req, type) : EMPTY_BODY,
      cookies.admin_token ? this.identities.admin(cookies.admin_token) : null,
      cookies.user_token ? this.identities.user(cookies.user_token) : null,
    ]);
    // Files go to memory: how many depends on who sends them.
    const body = isMultipart ? await this.readFiles(req, admin !== null || user !== null, multipart) : fields;
    return new HttpCall(
      { method, url, headers: req.headers },
      {
        scope,
        ip: this.addresses.of(req),
        baseUrl: this.baseUrl.current(),
        locale: this.localeOf(req, cookies.lang),
        admin,
        user,
        ...body,
        gn: body.body.gn ?? queryGn(url),
      },
    );
  }

  private async readFiles(req: IncomingMessage, isKnown: boolean, wanted: MultipartLimits = {}): Promise<BodyDetails> {
    const { fields, files } = await this.uploads.read(req, isKnown, wanted, (limits) => parseMultipart(req, limits));
    return { body: fields, rawBody: EMPTY_BODY.rawBody, files };
  }

  private localeOf(req: IncomingMessage, chosen: string | undefined): Locale {
    return chooseLocale(chosen, this.siteLocale.current(), req.headers['accept-language']);
  }
}

async function readFields(req: IncomingMessage, type: string): Promise<BodyDetails> {
  const rawBody = await readBody(req, MAX_BODY_BYTES);
  if (type.startsWith('application/json')) return { body: parseJsonBody(rawBody), rawBody, files: [] };
  if (type.startsWith('application/x-www-form-urlencoded')) return { body: parseForm(rawBody), rawBody, files: [] };
  return { body: EMPTY_BODY.body, rawBody, files: [] };
}

function queryGn(url: string): string | undefined {
  const mark = url.indexOf('?');
  return mark < 0 ? undefined : parseQuery(url.slice(mark + 1)).gn;
}
