import { IsBoolean, IsIn, IsOptional, Matches } from 'class-validator';

import type { ItemType } from '../entities/index.js';
import { ListOf } from '../http/index.js';

class InstalledForm {
  @IsIn(['plugin', 'theme'], { message: 'store.check_type' }) type!: ItemType;
  @Matches(/^[a-zA-Z0-9_-]{1,63}$/, { message: 'store.check_slug' }) slug!: string;
  @Matches(/^[0-9A-Za-z.+_-]{1,32}$/, { message: 'store.check_version' }) version!: string;
}

/** Body of `POST /items/update-check`. */
export class UpdateCheckForm {
  @Matches(/^[0-9A-Za-z.+_-]{1,32}$/, { message: 'store.check_version' }) panel_version!: string;
  @ListOf(InstalledForm, 100, { message: 'store.check_items' }) items!: InstalledForm[];

  /** Whether to offer betas also. */
  @IsOptional() @IsBoolean({ message: 'store.beta_invalid' }) beta?: boolean;
}
