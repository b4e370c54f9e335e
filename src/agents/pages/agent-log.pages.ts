import { Controller } from '@nestjs/common';

import { AppError, localeOf, translate } from '../../common/index.js';
import { shownSize } from '../../hosting/index.js';
import { OperationPipeline, type RequestContext, type SuccessReply } from '../../operations/index.js';
import { Page, PageMissing } from '../../web/index.js';
import { AgentError } from '../agent-error.js';
import { LOG_LEVELS, LOG_PART } from '../wire/index.js';

interface LogNumbers {
  readonly node_name: string;
  readonly level: string;
  readonly files: readonly { readonly log_file: string; readonly size: number }[];
}
interface LogContent {
  readonly content: string;
  readonly offset: number;
  readonly next: number;
  readonly size: number;
}

/** Shows the log of an agent, read from the agent on each request. */
@Controller()
export class AgentLogPages {
  constructor(private readonly pipeline: OperationPipeline) {}

  @Page({ side: 'admin', path: 'agent-log', title: 'node.menu.agent_log', needs: ['nodelogstats', 'nodelogcontent'] })
  async log(call: RequestContext): Promise<object> {
    const id = call.query.node_id ?? '';
    try {
      const { node_name, level, files } = await this.ask<LogNumbers>(call, 'nodelogstats', { node_id: id });
      const file = files.find(({ log_file }) => log_file === call.query.log_file) ?? files[0];
      const asked = {
        keyword: (call.query.keyword ?? '').trim().slice(0, 200),
        level: LOG_LEVELS.find((one) => one === call.query.level) ?? '',
      };
      const offset = /^\d{1,15}$/.test(call.query.offset ?? '') ? call.query.offset! : '';
      const part = file && (await this.ask<LogContent>(call, 'nodelogcontent', { node_id: id, log_file: file.log_file, ...asked, offset }));
      const shown = { node_id: id, log_file: file?.log_file ?? '', ...asked };
      const link = (at: number | null): string =>
        `/admin/agent-log?${new URLSearchParams({ ...shown, ...(at === null ? {} : { offset: String(at) }) }).toString()}`;
      return {
        node_id: id,
        node_name,
        level,
        levels: LOG_LEVELS,
        files: files.map((one) => ({
          ...one,
          shown_size: shownSize(one.size),
          named: JSON.stringify({ node_id: id, log_file: one.log_file }),
        })),
        file: file?.log_file ?? '',
        asked,
        is_narrowed: asked.keyword !== '' || asked.level !== '',
        content: part?.content ?? '',
        older: part && part.offset > 0 ? link(Math.max(0, part.offset - LOG_PART.default)) : '',
        newer: part && part.next < part.size && part.content !== '' ? link(part.next) : '',
        newest: link(null),
      };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (!(error instanceof AgentError) || error.code === 'NODE_NOT_FOUND') throw new PageMissing();
      return { node_id: id, problem: translate(localeOf(call.locale), error.shape.text, error.params) };
    }
  }

  private async ask<Answer>(call: RequestContext, gn: string, fields: Readonly<Record<string, string>>): Promise<Answer> {
    return ((await this.pipeline.show('admin', gn, fields, call)) as SuccessReply).extras as Answer;
  }
}
