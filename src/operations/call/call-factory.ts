import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { ClientAddress, addressForLimits } from '../../auth/index.js';
import type { Locale } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import {
  BodyAdmission,
  cookiesOf,
  localeOfRequest,
  type MultipartLimits,
  parseForm,
  parseJsonBody,
  parseMultipart,
  pathOf,
  queryOf,
  type Sender,
  SiteLocale,
} from '../../http/index.js';
import type { AdminIdentity, Scope, UserIdentity } from '../../sdk/index.js';

import { EMPTY_BODY, RequestContext, parseQuery, type CallDetails } from './call.js';
import { Identities } from './identities.js';

const MEBIBYTE = 1024 * 1024;
/** Largest body of a request without files, in bytes. */
const MAX_BODY_BYTES = MEBIBYTE;
/** Largest body with files. */
const MAX_FILES_BYTES: Readonly<Record<Sender['kind'], number>> = {
  stranger: 16 * MEBIBYTE,
  account: 64 * MEBIBYTE,
  administrator: 64 * MEBIBYTE,
};

/** Limits of a multipart body where nobody sends files: whoever has shown nothing yet fills no memory with some. */
export const FORM_ONLY: MultipartLimits = { files: 0, totalBytes: MAX_BODY_BYTES };

const ADMIN_OPERATIONS = '/admin/ajax.php';
const BEARER = /^Bearer (svck_\S{1,100})$/i;

const CALL = Symbol('the call of a request');
type Known = IncomingMessage & { [CALL]?: RequestContext };

type BodyDetails = Pick<CallDetails, 'body' | 'rawBody' | 'files'>;

/** The call of a request, where one was made for it: see {@link CallFactory.of}. */
export function callOf(req: IncomingMessage): RequestContext | undefined {
  return (req as Known)[CALL];
}

/** Makes the {@link RequestContext} of a request: reads its body, finds out who sent it. */
@Injectable()
export class CallFactory {
  constructor(
    private readonly admission: BodyAdmission,
    private readonly identities: Identities,
    private readonly addresses: ClientAddress,
    private readonly baseUrl: BaseUrl,
    private readonly siteLocale: SiteLocale,
  ) {}

  /**
   * As {@link create}, once for each request: its guards, its handler and its filter share one call, which is done with
   * when the answer has been sent.
   */
  async of(req: IncomingMessage, res: ServerResponse, scope: Scope | 'public', multipart?: MultipartLimits): Promise<RequestContext> {
    const known = this.known(req);
    if (known) return known;
    res.once('close', () => this.admission.done(req));
    const call = await this.create(req, res, scope, multipart);
    (req as Known)[CALL] = call;
    return call;
  }

  /** The call of a request, where it got so far that there is one. */
  known(req: IncomingMessage): RequestContext | undefined {
    return callOf(req);
  }

  /** The language a request is answered in: that of its call, and the same for one that is refused before there is a call. */
  localeOf(req: IncomingMessage): Locale {
    return this.known(req)?.locale ?? localeOfRequest(req, this.siteLocale.current());
  }

  /**
   * Whoever calls this calls {@link BodyAdmission.done} once the call has been served: until then its body counts as memory in use.
   *
   * @param scope side of the panel the request is for
   * @param multipart limits of a multipart body; those of {@link parseMultipart} where nothing is given
   * @throws BodyError when the body is too large, there is no room for it, or it cannot be read
   */
  async create(req: IncomingMessage, res: ServerResponse, scope: Scope | 'public', multipart?: MultipartLimits): Promise<RequestContext> {
    const url = req.url ?? '/';
    const cookies = cookiesOf(req.headers);
    const method = req.method ?? 'GET';
    // Ignoring case: https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1
    const type = (req.headers['content-type'] ?? '').toLowerCase();
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const ip = this.addresses.of(req);
    const admin = await this.administrator(req, cookies.admin_token, ip);
    const user = cookies.user_token ? await this.identities.user(cookies.user_token) : null;
    // Whose it is has to be known before anything large is read; what is small has mostly come by now.
    const body = hasBody ? await this.readBody(req, type, senderOf(admin, user, ip), multipart) : EMPTY_BODY;
    return new RequestContext(
      { req, res },
      {
        scope,
        ip,
        baseUrl: this.baseUrl.current(),
        locale: localeOfRequest(req, this.siteLocale.current(), cookies),
        admin,
        user,
        ...body,
        gn: body.body.gn ?? queryGn(url),
      },
    );
  }

  /** A program shows its key to the operations of administrators, and nowhere else; what else it sends does not count then. */
  private administrator(req: IncomingMessage, token: string | undefined, ip: string): Promise<AdminIdentity | null> | null {
    const key = BEARER.exec(req.headers.authorization ?? '')?.[1];
    if (key !== undefined && pathOf(req.url ?? '/') === ADMIN_OPERATIONS) return this.identities.program(key, ip);
    return token ? this.identities.admin(token) : null;
  }

  private readBody(req: IncomingMessage, type: string, sender: Sender, multipart: MultipartLimits = {}): Promise<BodyDetails> {
    return type.startsWith('multipart/form-data') ? this.readFiles(req, sender, multipart) : this.readFields(req, type, sender);
  }

  private async readFiles(req: IncomingMessage, sender: Sender, wanted: MultipartLimits): Promise<BodyDetails> {
    const most = MAX_FILES_BYTES[sender.kind];
    const intake = this.admission.open(req, { limit: Math.min(wanted.totalBytes ?? most, most), sender });
    const { fields, files } = await parseMultipart(intake, wanted);
    return { body: fields, rawBody: EMPTY_BODY.rawBody, files };
  }

  private async readFields(req: IncomingMessage, type: string, sender: Sender): Promise<BodyDetails> {
    const rawBody = await this.admission.read(req, { limit: MAX_BODY_BYTES, sender });
    if (type.startsWith('application/json')) return { body: parseJsonBody(rawBody), rawBody, files: [] };
    if (type.startsWith('application/x-www-form-urlencoded')) return { body: parseForm(rawBody), rawBody, files: [] };
    return { body: EMPTY_BODY.body, rawBody, files: [] };
  }
}

function senderOf(admin: AdminIdentity | null, user: UserIdentity | null, ip: string): Sender {
  if (admin) return { kind: 'administrator', who: `admin ${admin.id}` };
  if (user) return { kind: 'account', who: `user ${user.id}` };
  return { kind: 'stranger', who: addressForLimits(ip) };
}

function queryGn(url: string): string | undefined {
  const query = queryOf(url);
  return query === '' ? undefined : parseQuery(query).gn;
}
