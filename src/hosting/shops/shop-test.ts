import { isIP } from 'node:net';

import { Injectable } from '@nestjs/common';

import { AddressList, isApiKeySecret } from '../../auth/index.js';
import { DEFAULT_LOCALE, sameText, translate } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { HostingNode } from '../entities/index.js';
import { ExternalApi, MIN_CLIENT_VERSION, type ExternalReply } from '../external-api/index.js';
import { CallingKeys } from '../nodes/index.js';

import { ShopError } from './shop-errors.js';

/** Timeout of the call, the same as in deployed shop modules, in milliseconds. */
const PATIENCE_MS = 15_000;
const MAX_ANSWER = 20_000;
const MAX_SAID = 200;

/** Parameters of a test call. */
export interface ShopCall {
  /** Id of the server. */
  readonly nodeId: number;
  /** Address the shop calls from; empty: unknown. */
  readonly ip: string;
  /** Keys as entered in the shop; empty: the right ones. */
  readonly apiKey: string;
  readonly callingKey: string;
}

/**
 * Connects to the provisioning API like a shop, and explains what prevents the connection. Keys are compared before the call, so that a
 * wrong one does not count against any address.
 */
@Injectable()
export class ShopTest {
  constructor(
    private readonly settings: SiteSettings,
    private readonly database: Database,
    private readonly baseUrl: BaseUrl,
    private readonly api: ExternalApi,
    private readonly keys: CallingKeys,
  ) {}

  /** @returns the server, and the address that answered @throws ShopError for the first problem */
  async run(call: ShopCall): Promise<{ node: HostingNode; url: string }> {
    const node = await this.database.repository(HostingNode).findOneBy({ id: call.nodeId });
    if (!node) throw new ShopError('NODE_MISSING');
    this.checkAddress(call.ip);
    const fields = this.fieldsOf(call, node);
    const url = `${this.baseUrl.local()}/api/api.php?gn=cfif`;
    const answer = await answerOf(url, fields);
    // This machine need not be on the allow list: a rejection for that reason shows that the API answers.
    const isListed = answer.msg !== translate(DEFAULT_LOCALE, 'hosting.api_address');
    if (isListed && !answer.success) throw refusal(answer);
    // Repeats the call with the shop's address, to include what depends on it, such as previous wrong keys.
    const again = call.ip === '' ? null : await this.api.handle('cfif', fields, call.ip);
    if (again && !again.success) throw refusal(again);
    return { node, url };
  }

  /** @throws ShopError API_CLOSED, ADDRESS_INVALID, ADDRESS_NOT_GIVEN, ADDRESS_NOT_LISTED */
  private checkAddress(ip: string): void {
    const { apiOpen, apiAllow } = this.settings.current;
    if (!apiOpen) throw new ShopError('API_CLOSED');
    if (ip !== '' && isIP(ip) === 0) throw new ShopError('ADDRESS_INVALID', {}, { ip: 'hosting.shop_address_invalid' });
    if (!apiAllow) return;
    if (ip === '') throw new ShopError('ADDRESS_NOT_GIVEN', {}, { ip: 'hosting.shop_address_not_given' });
    if (!AddressList.read(apiAllow).has(ip))
      throw new ShopError('ADDRESS_NOT_LISTED', { ip }, { ip: { key: 'hosting.shop_address_not_listed', params: { ip } } });
  }

  /** Builds the form of the call. @throws ShopError API_KEY_NONE, API_KEY_WRONG, NODE_OFF, CALLING_KEY_WRONG */
  private fieldsOf(call: ShopCall, node: HostingNode): Record<string, string> {
    const { api } = this.settings.current;
    if (call.apiKey === '' && !api) throw new ShopError('API_KEY_NONE');
    // The key of a program is checked by the call itself.
    const isOwn = call.apiKey !== '' && isApiKeySecret(call.apiKey);
    if (call.apiKey !== '' && !isOwn && !(api && sameText(call.apiKey, api)))
      throw new ShopError('API_KEY_WRONG', {}, { key: 'hosting.shop_key_wrong' });
    const { code } = node;
    if (!node.enabled) throw new ShopError('NODE_OFF', { code });
    if (call.callingKey !== '' && !this.keys.accepts(node, call.callingKey))
      throw new ShopError('CALLING_KEY_WRONG', { code }, { keye: { key: 'hosting.shop_calling_key_wrong', params: { code } } });
    return {
      svc_bh: code,
      svc_key: call.apiKey || api,
      svc_keye: call.callingKey || this.keys.of(node),
      svc_vs: String(MIN_CLIENT_VERSION),
      username: 'test',
    };
  }
}

const refusal = ({ msg }: ExternalReply): ShopError => new ShopError('REFUSED', { said: msg.slice(0, MAX_SAID) });

/** @throws ShopError NO_ANSWER; OTHER_ANSWER if the response is not the panel's */
async function answerOf(url: string, fields: Readonly<Record<string, string>>): Promise<ExternalReply> {
  let text: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    text = (await response.text()).slice(0, MAX_ANSWER);
  } catch {
    throw new ShopError('NO_ANSWER', { url });
  }
  try {
    const answer = JSON.parse(text) as Partial<ExternalReply> | null;
    if (typeof answer?.success === 'boolean' && typeof answer.msg === 'string') return answer as ExternalReply;
  } catch {
    // Not a response of the panel.
  }
  throw new ShopError('OTHER_ANSWER', { url });
}
