import { Module, type DynamicModule } from '@nestjs/common';

import { FilingFooter, SIDES, type Side } from './filing-footer.js';
import { FilingSettings } from './filing-settings.js';

/** A module that is made with what it is to do: on which sides the numbers stand. */
@Module({})
export class FilingModule {
  static onPagesOf(...sides: Side[]): DynamicModule {
    return { module: FilingModule, providers: [FilingSettings, FilingFooter, { provide: SIDES, useValue: sides }] };
  }
}
