import { Injectable } from '@nestjs/common';

import { AppError, localeOf, translate, type Locale } from '../../common/index.js';
import { Operation, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { NodeServers } from '../nodes/index.js';

import { NodePhpInput, NodeTestInput, SetNodePhpInput } from './node-inputs.js';

/** What a node's server is asked for by administrators, in the shapes older pages read. Source: docs/panel-api.md "Nodes". */
@Injectable()
export class NodeServerOperations {
  constructor(private readonly servers: NodeServers) {}

  @Operation({
    side: 'admin',
    gn: 'btztjc',
    auth: 'admin',
    input: NodeTestInput,
    audit: null,
    rate: 'expensive',
    servers: { of: 'server', field: 'btid' },
  })
  async test({ btid }: NodeTestInput, ctx: CallContext): Promise<RawReply> {
    const locale = localeOf(ctx.locale);
    try {
      const { version, system } = await this.servers.probe(btid);
      return new RawReply({
        success: true,
        qk: 1,
        code: translate(locale, 'hosting.node_answers'),
        titco: 'text-success',
        version,
        system,
      });
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

/** `{"qk":1,…}`, or `{"qk":0,"msg":text}` for what is refused. */
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

/** The text of a refusal; anything else is the pipeline's. */
function textOf(error: unknown, locale: Locale): string {
  if (!(error instanceof AppError)) throw error;
  return translate(locale, error.shape.text, error.params);
}
