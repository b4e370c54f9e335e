import { Controller, type OnModuleInit } from '@nestjs/common';
import { IsOptional, IsString, Length, MaxLength } from 'class-validator';

import { localeOf } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { checkVersion, nextVersion, VersionField, versionOf } from '../http/index.js';
import { coreOperation, inputRefusal, OneOf, OperationRegistry, SuccessReply, Trimmed } from '../operations/index.js';
import { moneyText, type CallContext } from '../sdk/index.js';
import { Page, PageMissing, defineList, type Chart } from '../web/index.js';

/** Paid amounts of an example week, in yuan. */
const SAMPLE_WEEK = [120, 80, 0, 240, 160, 310, 90];

/** Lists with all features, over an operation that always has rows, one for each half of the page. */
const SAMPLE_LISTS = ['light', 'dark'].map((half) =>
  defineList({
    id: `sample-${half}`,
    operation: 'listlog',
    sort: '-date',
    empty: 'script.empty',
    search: [
      ['czuser', 'log.who'],
      ['ip', 'log.ip'],
    ],
    filters: [{ field: 'lx', label: 'log.kind', choices: [['sign_in', 'account.operation.登陆']] }],
    columns: [
      { field: 'lxmc', title: 'log.kind', kind: 'named', notes: [{ text: (row) => String(row.czuser), tone: 'code' }] },
      { field: 'date', title: 'log.date', sortable: true, kind: 'moment' },
    ],
    actions: [{ label: 'log.details', href: (row) => `/admin/log-line?id=${encodeURIComponent(String(row.id))}` }],
    bulk: [{ label: 'log.delete', operation: 'logscxz', field: 'idsz', confirm: 'log.delete_many_confirm', tone: 'danger' }],
  }),
);

/** A field of every type, as declared by plugins. */
const SAMPLE_FIELDS = ['text', 'textarea', 'select', 'switch', 'checkbox', 'password', 'number', 'email', 'date'].map((type) => ({
  name: type,
  label: type,
  type,
  required: type === 'text',
  options: ['a', 'b'],
}));

/** Fields of the example form. */
class SampleInput {
  @Trimmed() @IsString() @Length(1, 40) title!: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(200) note = '';
  /** The field to reject. */
  @IsOptional() @OneOf(['title', 'note']) refuse?: 'title' | 'note';
  @VersionField() row_version?: string;
}

/**
 * Shows every component of the default theme, light and dark, and an example form, for authors of pages and themes. Neither the page nor
 * its operation exists on a panel reachable from other machines.
 */
@Controller()
export class ComponentPages implements OnModuleInit {
  /** The last saved values, in memory. */
  private sample = { title: 'Sample', note: '' };

  constructor(
    private readonly config: AppConfig,
    private readonly operations: OperationRegistry,
  ) {}

  onModuleInit(): void {
    if (this.config.exposedBy !== null) return;
    const declaration = { side: 'admin', gn: 'components', auth: 'admin', input: SampleInput, audit: null, rate: 'read' } as const;
    this.operations.add(coreOperation(declaration, (input, ctx) => this.save(input as SampleInput, ctx)));
  }

  @Page({ side: 'admin', path: 'components', title: 'theme.menu.components', lists: SAMPLE_LISTS })
  components(): object {
    if (this.config.exposedBy !== null) throw new PageMissing();
    const chart: Chart = {
      title: 'chart',
      label: 'label',
      series: [
        { title: 'bar', kind: 'bar' },
        { title: 'line', kind: 'line' },
      ],
      rows: SAMPLE_WEEK.map((amount, at) => ({
        label: `2026-01-0${at + 1}`,
        values: [
          { number: amount, text: moneyText(amount * 100) },
          { number: Math.ceil(amount / 50), text: String(Math.ceil(amount / 50)) },
        ],
      })),
    };
    const sample = { ...this.sample, row_version: versionOf(this.sample) };
    return { chart, sample, sample_fields: SAMPLE_FIELDS, sample_time: new Date() };
  }

  private save({ title, note, refuse, row_version }: SampleInput, ctx: CallContext): SuccessReply {
    const refused = { rule: 'other', message: 'theme.components.refused' };
    if (refuse) throw inputRefusal([{ field: refuse, path: refuse, ...refused }], localeOf(ctx.locale));
    checkVersion(row_version, this.sample);
    this.sample = { title, note };
    return new SuccessReply('theme.components.saved', nextVersion(row_version, this.sample));
  }
}
