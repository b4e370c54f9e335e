import { Injectable } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { AppError, localeOf, translate, type Locale } from '../../common/index.js';
import { AuditLog, auditLine, lineOfCall, Operation, Permissions, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { NodeServers } from '../nodes/index.js';

import { NodePhpInput, NodeTestInput, SetNodePhpInput } from './node-inputs.js';

/** Log entry of a test that stored reported values. */
const TESTED = 'hosting.audit_node_tested';

/** Operations of administrators that query a node's server, in the response format of older pages. Source: docs/panel-api.md "Nodes". */
@Injectable()
export class NodeServerOperations {
  constructor(
    private readonly servers: NodeServers,
    private readonly audit: AuditLog,
    private readonly permissions: Permissions,
  ) {}

  /** For administrators who may change servers, reported values are stored and logged. */
  @Operation({
    side: 'admin',
    gn: 'btztjc',
    auth: 'admin',
    input: NodeTestInput,
    audit: TESTED,
    writesLine: true,
    rate: 'expensive',
    servers: { of: 'server', field: 'btid' },
  })
  async test({ btid }: NodeTestInput, ctx: CallContext): Promise<RawReply> {
    const locale = localeOf(ctx.locale);
    try {
      const { node, probe, learned } = await this.servers.test(btid, this.permissions.may(accessOf(ctx.admin), 'xgjl'));
      const reported = this.servers.describeLearned(node.driver, learned, locale);
      const body = { success: true, qk: 1, titco: 'text-success', version: probe.version, system: probe.system };
      if (reported.length === 0) return new RawReply({ ...body, code: translate(locale, 'hosting.node_answers') });
      await this.audit.write(lineOfCall({ side: 'admin', gn: 'btztjc' }, auditLine(TESTED, { btdh: node.code }), ctx));
      const code = translate(locale, 'hosting.node_answers_learned', { what: reported.join(' · ') });
      // Redirects to the form with the stored values, so that they can be verified.
      return new RawReply({ ...body, code, told: reported.join('\n'), redirect: `/admin/server?id=${btid}&kept=true` });
    } catch (error) {
      return new RawReply({ success: false, qk: 0, code: textOf(error, locale), titco: 'text-danger' });
    }
  }

  @Operation({
    side: 'admin',
    gn: 'list_node_php',
    auth: 'admin',
    input: NodePhpInput,
    audit: null,
    rate: 'expensive',
    servers: { of: 'server-code', field: 'btdh' },
  })
  listPhp({ btdh }: NodePhpInput, ctx: CallContext): Promise<RawReply> {
    return answer(ctx, async (locale) => {
      const { node, versions, offered } = await this.servers.php(btdh);
      const note = offered ? {} : { msg: translate(locale, 'hosting.php_not_offered', { code: btdh }) };
      return { ...note, versions, latest: versions.at(-1) ?? '', current_default: node.defaultPhp };
    });
  }

  @Operation({
    side: 'admin',
    gn: 'auto_detect_node_php',
    auth: 'admin',
    input: NodePhpInput,
    audit: 'hosting.audit_node_php_detected',
    rate: 'expensive',
    servers: { of: 'server-code', field: 'btdh' },
  })
  detectPhp({ btdh }: NodePhpInput, ctx: CallContext): Promise<RawReply> {
    return answer(ctx, async (locale) => {
      const version = await this.servers.detectPhp(btdh);
      if (version === null) return { version: '', msg: translate(locale, 'hosting.php_not_offered', { code: btdh }) };
      return { version, msg: translate(locale, 'hosting.php_set', { code: btdh, version }) };
    });
  }

  @Operation({
    side: 'admin',
    gn: 'set_node_php',
    auth: 'admin',
    input: SetNodePhpInput,
    audit: 'hosting.audit_node_php',
    rate: 'write',
    servers: { of: 'server-code', field: 'btdh' },
  })
  setPhp({ btdh, version }: SetNodePhpInput, ctx: CallContext): Promise<RawReply> {
    return answer(ctx, async (locale) => {
      if (!btdh || !version) return { qk: 0, msg: translate(locale, 'hosting.php_incomplete') };
      const works = await this.servers.setPhp(btdh, version);
      return { version, msg: translate(locale, works ? 'hosting.php_set' : 'hosting.php_kept', { code: btdh, version }) };
    });
  }
}

/** Responds with `{"qk":1,…}`, or `{"qk":0,"msg":text}` for a rejection. */
async function answer(
  ctx: CallContext,
  work: (locale: Locale) => Promise<{ qk?: 0; msg?: string; version?: string; [extra: string]: unknown }>,
): Promise<RawReply> {
  const locale = localeOf(ctx.locale);
  let body: Awaited<ReturnType<typeof work>>;
  try {
    body = await work(locale);
  } catch (error) {
    body = { qk: 0, msg: textOf(error, locale) };
  }
  const success = body.qk !== 0;
  return new RawReply({ success, qk: 1, ...body }, {}, body.version === undefined ? {} : { version: body.version || '-' });
}

/** Returns the text of a rejection; any other error is left to the pipeline. */
function textOf(error: unknown, locale: Locale): string {
  if (!(error instanceof AppError)) throw error;
  return translate(locale, error.shape.text, error.params);
}
