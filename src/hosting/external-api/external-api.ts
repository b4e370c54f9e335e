import { Injectable } from '@nestjs/common';

import { AddressList, ApiKeys, RateGate, accessOf, isApiKeySecret } from '../../auth/index.js';
import { AppError, loggerFor, sameText, translate } from '../../common/index.js';
import { AUDIT_LOCALE, AuditLog, withCurrentNames } from '../../operations/index.js';
import type { AdminIdentity } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import type { HostingNode } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { CallingKeys, NodesService } from '../nodes/index.js';

import { InvalidFieldError, type ExternalFields } from './external-form.js';
import { failure, refused, replyOf, textOf, type ExternalReply, type Outcome } from './external-replies.js';
import { KeyAttemptLimiter, type KeyCheck } from './key-attempt-limiter.js';
import { HostCommands, type HostCommand } from './host-commands.js';

const log = loggerFor('external-api');
/** Category of its entries in the operation log, and source of those with a wrong key. */
const CATEGORY = 'api.php';

/** Oldest client version that is accepted. */
export const MIN_CLIENT_VERSION = 15;

/**
 * The provisioning API, used by the shop modules of other systems to open and manage hosts. Source: docs/panel-api.md "Provisioning API".
 */
@Injectable()
export class ExternalApi {
  private readonly operations: Readonly<Record<string, HostCommand>>;

  constructor(
    private readonly settings: SiteSettings,
    private readonly nodes: NodesService,
    private readonly failedKeys: KeyAttemptLimiter,
    private readonly audit: AuditLog,
    private readonly callingKeys: CallingKeys,
    private readonly gate: RateGate,
    private readonly keys: ApiKeys,
    commands: HostCommands,
  ) {
    this.operations = commands.byName;
  }

  /**
   * Checks and runs one call, in the order deployed clients rely on. Throws for no rejection except the one below.
   *
   * @throws RateLimited
   * @param gn the operation
   * @param fields the submitted form; names with the legacy prefix are accepted
   * @param ip address of the caller, by which wrong keys are counted
   */
  async handle(gn: string, fields: ExternalFields, ip: string): Promise<ExternalReply> {
    return replyOf(await this.answer(gn, fields, ip));
  }

  private async answer(gn: string, fields: ExternalFields, ip: string): Promise<Outcome> {
    const form = withCurrentNames(fields);
    const site = this.settings.current;
    if (!site.apiOpen) return refused('api_closed');
    if (site.apiAllow && !AddressList.read(site.apiAllow).has(ip)) {
      log.warn({ ip }, 'a call from an address that is not on the allow list');
      return refused('api_address');
    }
    if (!(Number.parseInt(form.svc_vs ?? '', 10) >= MIN_CLIENT_VERSION)) {
      return { ...refused('api_version', { version: MIN_CLIENT_VERSION }), code: 300 };
    }
    const { svc_bh: code, svc_key: key, svc_keye: nodeKey, username } = form;
    if (!gn || !code || !key || !nodeKey || !username) return refused('api_incomplete');
    let program: AdminIdentity | null = null;
    const found = await this.failedKeys.guard(ip, async (check): Promise<HostingNode | Outcome> => {
      if (check.minutes) return refused('api_blocked', { n: check.minutes });
      if (!site.api || !sameText(key, site.api)) {
        program = isApiKeySecret(key) ? await this.keys.admit(key, ip) : null;
        // Other keys may have been compared during the await.
        if (!program && check.minutes) return refused('api_blocked', { n: check.minutes });
        if (!program) return this.wrongKey('api_key', ip, code, check);
      }
      const node = await this.nodes.find(code);
      if (!node?.enabled) return refused('api_node');
      if (check.minutes) return refused('api_blocked', { n: check.minutes });
      return this.callingKeys.accepts(node, nodeKey) ? node : this.wrongKey('api_call_key', ip, code, check);
    });
    if ('success' in found) return found;
    if (!Object.hasOwn(this.operations, gn)) return refused('api_unknown');
    const caller = program as AdminIdentity | null;
    if (caller && !accessOf(caller).allows(`api.${gn}`)) return refused('api_not_allowed');
    const operation = this.operations[gn]!;
    await this.gate.admit(operation.rate, ip, null);
    const answer = await this.run(operation, found, form);
    if (operation.changes) await this.log(ip, `${gn} ${username} (${code})`, answer, { actor: caller?.username });
    return answer;
  }

  private async run(operation: HostCommand, node: HostingNode, form: ExternalFields): Promise<Outcome> {
    try {
      return await operation.run(node, form);
    } catch (error) {
      if (error instanceof InvalidFieldError) return failure(error.text);
      if (error instanceof HostingError) return failure(...textOf(error));
      if (error instanceof AppError) return failure(error.shape.text, error.params);
      throw error;
    }
  }

  private async wrongKey(text: 'api_key' | 'api_call_key', ip: string, node: string, check: KeyCheck): Promise<Outcome> {
    log.warn({ ip, node: node.slice(0, 64), which: text }, 'a call with a wrong key');
    await check.failed();
    const answer = refused(text);
    await this.log(ip, `${text} (${node})`, answer, { source: CATEGORY });
    return answer;
  }

  private log(ip: string, call: string, { text }: Outcome, { actor = 'api', source }: { actor?: string; source?: string }): Promise<void> {
    const outcome = translate(AUDIT_LOCALE, text.key, text.params);
    return this.audit.write({
      actor,
      source,
      category: CATEGORY,
      summary: call,
      text: { key: 'hosting.audit_api', params: { call }, outcome: text },
      ip,
      outcome,
    });
  }
}
