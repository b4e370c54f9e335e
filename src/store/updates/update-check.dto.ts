import { ApiProperty } from '../../http/index.js';

import type { ItemType, StoreVersion } from '../entities/index.js';
import { SHA256, TIME } from '../http/index.js';

const TYPE = { enum: ['plugin', 'theme'] };
const SLUG = { description: 'As in the request' };

/** A newer version. */
export class ItemUpdate {
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty(SLUG) slug!: string;
  @ApiProperty({ description: 'The published version, or a beta if requested' }) version!: string;
  @ApiProperty({ enum: ['stable', 'beta'] }) channel!: StoreVersion['channel'];
  @ApiProperty() changelog!: string;
  @ApiProperty({ description: 'Path of the package' }) download!: string;
  @ApiProperty(SHA256) sha256!: string;
  @ApiProperty({ description: 'Ed25519, base64' }) signature!: string;
  @ApiProperty() key_id!: string;
  @ApiProperty({ description: 'Panel versions it needs: a range, or the lowest; may be empty' }) requires!: string;
}

/** A discontinued item. */
export class ClosedItem {
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty(SLUG) slug!: string;
  @ApiProperty({ description: 'Reason from the administrator' }) reason!: string;
  @ApiProperty(TIME) since!: string;
}

/** A version withdrawn by its author: installations keep running, but it can no longer be downloaded. */
export class WithdrawnVersion {
  @ApiProperty(TYPE) type!: ItemType;
  @ApiProperty(SLUG) slug!: string;
  @ApiProperty({ description: 'The requested version' }) version!: string;
  @ApiProperty({ description: 'Reason from the author; may be empty' }) reason!: string;
  @ApiProperty(TIME) since!: string;
}

/** Result of an update check: newer versions, and discontinued items and versions. */
export class Updates {
  @ApiProperty({ type: [ItemUpdate], maxItems: 100 }) updates!: ItemUpdate[];
  @ApiProperty({ type: [ClosedItem], maxItems: 100 }) closed!: ClosedItem[];
  @ApiProperty({ type: [WithdrawnVersion], maxItems: 100 }) withdrawn!: WithdrawnVersion[];
}
