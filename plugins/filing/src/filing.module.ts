import { Module, type DynamicModule } from '@nestjs/common';

import { FilingFooter, SIDES, type Side } from './filing-footer.js';
import { FilingSettings } from './filing-settings.js';

/** A dynamic module, configured with the sides that show the numbers. */
@Module({})
export class FilingModule {
  static onPagesOf(...sides: Side[]): DynamicModule {
    return { module: FilingModule, providers: [FilingSettings, FilingFooter, { provide: SIDES, useValue: sides }] };
  }
}
