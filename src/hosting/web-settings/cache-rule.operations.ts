import { Injectable } from '@nestjs/common';

import { NoInput, Operation, type OperationDeclaration, type RawReply, type SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { type MaybeHost, siteOperations } from '../site-tools/index.js';

import { hostOn, ListData, settingBody, WebSettingEditor } from './setting-editor.js';
import { refuse } from './setting-errors.js';
import { CacheInput } from './setting-inputs.js';
import { MAX_ENTRIES, readCacheRule, readSuffixes } from './setting-values.js';

/** Operations on the browser cache rules of a site. Source: docs/panel-api.md "Site settings". */
export const cacheRuleOperations = siteOperations((on, side) => {
  /** Aliases used by owners' programs. */
  const also = (...names: string[]): Pick<OperationDeclaration, 'also'> => (side === 'user' ? { also: names } : {});

  @Injectable()
  class CacheRuleOperations {
    constructor(private readonly editor: WebSettingEditor) {}

    @Operation(on('cache_list', NoInput, null, 'read'))
    async cacheRules(input: NoInput & MaybeHost, ctx: CallContext): Promise<RawReply> {
      const { cache } = await this.editor.present(input, ctx);
      const list = cache.map(({ suffix, time }) => ({ id: suffix, suffix, time_out: time }));
      return new ListData(
        settingBody(ctx, { list }),
        list.map((row) => hostOn(side, row, input)),
      );
    }

    @Operation({ ...on('cacheadd', CacheInput, 'hosting.audit_setting_cache', 'write'), ...also('addcache', 'cache_add') })
    addCache(input: CacheInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const rule = readCacheRule(input.suffix || input.ext || '', input.time_out || input.time || '30d');
      return this.editor.save(
        input,
        ctx,
        ({ cache }) => {
          if (cache.some(({ suffix }) => suffix === rule.suffix)) refuse('TAKEN', 'suffix', { name: rule.suffix });
          if (cache.length >= MAX_ENTRIES) refuse('TOO_MANY', 'suffix', { n: MAX_ENTRIES });
          return { cache: [...cache, rule] };
        },
        'hosting.setting_added',
      );
    }

    @Operation({
      ...on('cacheedit', CacheInput, 'hosting.audit_setting_cache', 'write'),
      ...also('editcache', 'cacheupdate', 'setcache', 'cache', 'cache_edit'),
    })
    editCache(input: CacheInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const rule = readCacheRule(input.suffix || input.ext || '', input.time_out || input.time || '30d');
      const old = input.old_suffix ? readSuffixes(input.old_suffix, 'old_suffix').join(',') : rule.suffix;
      return this.editor.save(input, ctx, ({ cache }) => {
        if (!cache.some(({ suffix }) => suffix === old)) refuse('MISSING', 'suffix', { name: old });
        if (old !== rule.suffix && cache.some(({ suffix }) => suffix === rule.suffix)) refuse('TAKEN', 'suffix', { name: rule.suffix });
        return { cache: cache.map((present) => (present.suffix === old ? rule : present)) };
      });
    }

    @Operation({
      ...on('cachedel', CacheInput, 'hosting.audit_setting_cache', 'write'),
      ...also('delcache', 'cachedelete', 'deletecache', 'cache_del', 'cache_delete'),
    })
    removeCache(input: CacheInput & MaybeHost, ctx: CallContext): Promise<SuccessReply> {
      const gone = readSuffixes(input.suffix || input.ext || '', 'suffix').join(',');
      return this.editor.save(
        input,
        ctx,
        ({ cache }) => {
          if (!cache.some(({ suffix }) => suffix === gone)) refuse('MISSING', 'suffix', { name: gone });
          return { cache: cache.filter(({ suffix }) => suffix !== gone) };
        },
        'hosting.setting_removed',
      );
    }
  }
  return CacheRuleOperations;
});
