import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';

import { ListReply, Operation, SuccessReply, Trimmed } from '../../../operations/index.js';
import type { CallContext } from '../../../sdk/index.js';
import { ThemeInput } from '../theme-input.js';
import { ThemeScriptGrants } from './theme-script-grants.js';

class ScriptInput extends ThemeInput {
  @Trimmed() @IsString() @MaxLength(100) file!: string;
}

class GrantInput extends ScriptInput {
  /** SHA-256 of the file that was reviewed. */
  @Matches(/^[0-9a-f]{64}$/, { message: 'site.theme_script_sha256' }) sha256!: string;
  /** `plain`: pages that handle neither money nor passwords; `all`: also those, which requires `plain` first. */
  @IsOptional() @IsIn(['plain', 'all']) pages: 'plain' | 'all' = 'plain';
}

const WEIGHTY = { side: 'admin', auth: 'admin', rate: 'write', secondProof: true } as const;

/** Operations that permit scripts of themes. Source: docs/panel-api.md "Themes". */
@Injectable()
export class ThemeScriptOperations {
  constructor(private readonly grants: ThemeScriptGrants) {}

  @Operation({ side: 'admin', gn: 'theme_scripts', auth: 'admin', input: ThemeInput, audit: null, rate: 'read' })
  list({ name }: ThemeInput): ListReply {
    const rows = this.grants.scriptsOf(name).map(({ script, state, grant }) => {
      const { file, sides, purpose, bytes, sha256, text } = script;
      return { file, sides, purpose, bytes, sha256, state, by: grant?.by ?? '', at: grant?.at.toISOString() ?? '', text };
    });
    return new ListReply(rows.length, rows);
  }

  @Operation({ ...WEIGHTY, gn: 'theme_script_grant', input: GrantInput, audit: 'site.audit.theme_script_granted' })
  async grant({ name, file, sha256, pages }: GrantInput, { admin }: CallContext): Promise<SuccessReply> {
    await this.grants.grant(name, file, { sha256, everywhere: pages === 'all', by: admin!.username });
    return new SuccessReply(pages === 'all' ? 'site.theme_script_granted_all' : 'site.theme_script_granted', {}, { file });
  }

  @Operation({
    side: 'admin',
    gn: 'theme_script_revoke',
    auth: 'admin',
    input: ScriptInput,
    audit: 'site.audit.theme_script_revoked',
    rate: 'write',
  })
  async revoke({ name, file }: ScriptInput): Promise<SuccessReply> {
    await this.grants.revoke(name, file);
    return new SuccessReply('site.theme_script_revoked', {}, { file });
  }
}
