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
/** Largest body with files, in bytes. */
const MAX_FILES_BYTES: Readonly<Record<Sender['kind'], number>> = {
  stranger: 16 * MEBIBYTE,
  account: 64 * MEBIBYTE,
  administrator: 64 * MEBIBYTE,
};

/** Limits of a multipart form without files, so that unauthenticated callers cannot fill memory with uploads. */
export const FORM_ONLY: MultipartLimits = { files: 0, totalBytes: MAX_BODY_BYTES };

const ADMIN_OPERATIONS = '/admin/ajax.php';
const BEARER = /^Bearer (svck_\S{1,100})$/i;

const CALL = Symbol('the call of a request');
type Known = IncomingMessage & { [CALL]?: RequestContext };

type BodyDetails = Pick<CallDetails, 'body' | 'rawBody' | 'files'>;

/** Returns the call of a request, if {@link CallFactory.of} created one. */
export function callOf(req: IncomingMessage): RequestContext | undefined {
  return (req as Known)[CALL];
}

/** Creates the {@link RequestContext} of a request: reads its body and authenticates its sender. */
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
   * As {@link create}, but once per request: guards, handler and filter share one call, which is released when the answer has been sent.
   */
  async of(req: IncomingMessage, res: ServerResponse, scope: Scope | 'public', multipart?: MultipartLimits): Promise<RequestContext> {
    const known = this.known(req);
    if (known) return known;
    res.once('close', () => this.admission.done(req));
    const call = await this.create(req, res, scope, multipart);
    (req as Known)[CALL] = call;
    return call;
  }

  /** Returns the call of a request, if already created. */
  known(req: IncomingMessage): RequestContext | undefined {
    return callOf(req);
  }

  /** Returns the language of the answer: that of the call, and the same for a request rejected before its call was created. */
  localeOf(req: IncomingMessage): Locale {
    return this.known(req)?.locale ?? localeOfRequest(req, this.siteLocale.current());
  }

  /**
   * The caller must call {@link BodyAdmission.done} once the call has been served: until then its body counts as memory in use.
   *
   * @param scope side of the panel the request is for
   * @param multipart limits of a multipart body; by default those of {@link parseMultipart}
   * @throws BodyError when the body is too large, there is no memory for it, or it cannot be read
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
    // The sender must be known before a large body is read; a small one has usually arrived by now.
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

  /** An API key is accepted only for operations of the admin side; cookies in the same request are then ignored. */
  private administrator(req: IncomingMessage, token: string | undefined, ip: string): Promise<AdminIdentity | null> | null {
    const key = BEARER.exec(req.headers.authorization ?? '')?.[1];
    if (key !== undefined && pathOf(req.url ?? '/') === ADMIN_OPERATIONS) return this.identities.program(key, ip);
    return token ? this.identities.admin(token) : null;
  }

  private readBody(req: IncomingMessage, type: string, sender: Sender, multipart: MultipartLimits = {}): Promise<BodyDetails> {
    return type.startsWith('multipart/form-data') ? this.readFiles(req, sender, multipart) : this.readFields(req, type, sender);
  }

  private async readFiles(req: IncomingMessage, sender: Sender, wanted: MultipartLimits): Promise<BodyDetails> {
    const maxBytes = MAX_FILES_BYTES[sender.kind];
    const intake = this.admission.open(req, { limit: Math.min(wanted.totalBytes ?? maxBytes, maxBytes), sender });
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
