import { Injectable } from '@nestjs/common';
import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';

import { DAY_MS, legacyTime, readLegacyTime } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { checkVersion, type FormValues, VersionField } from '../../http/index.js';
import { NoticeAccounts } from '../../notify/index.js';
import { OneOf, RowIdOrZero, Trimmed } from '../../operations/index.js';
import { MaintenanceWindow, WINDOW_REPEATS } from '../entities/index.js';
import { MonitorError } from '../errors.js';
import { MAX_WINDOWS, MaintenanceWindows } from '../runs/maintenance-windows.js';

/** Fields of `jkwh`. */
export class WindowInput {
  /** Id of the window to change; 0 creates one. */
  @IsOptional() @RowIdOrZero() id = 0;
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(120) title!: string;
  /** `YYYY-MM-DD HH:MM` in the panel's time zone. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(19) starts_at!: string;
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(19) ends_at!: string;
  @IsOptional() @OneOf(WINDOW_REPEATS) repeats: (typeof WINDOW_REPEATS)[number] = 'once';
  /** Limits it to monitors of this account. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user = '';
  /** Limits it to monitors with this tag. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(50) tag = '';
  @VersionField() row_version?: string;
}

/** Fields of a deleted window in the operation log. */
const AUDITED_FIELDS = ['title', 'startsAt', 'endsAt', 'repeats', 'user', 'tag'];

const MAX_LENGTH_MS = { once: Infinity, daily: DAY_MS, weekly: 7 * DAY_MS } as const;

/** Manages maintenance windows. */
@Injectable()
export class Maintenance {
  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
    private readonly windows: MaintenanceWindows,
    private readonly accounts: NoticeAccounts,
  ) {}

  /** Lists all windows, newest first. */
  list(): Promise<MaintenanceWindow[]> {
    return this.database.repository(MaintenanceWindow).find({ order: { id: 'DESC' }, take: MAX_WINDOWS });
  }

  /** Returns the form fields of a window. */
  formOf({ title, startsAt, endsAt, repeats, user, tag }: MaintenanceWindow): FormValues {
    const { timezone } = this.clock;
    return { title, starts_at: legacyTime(startsAt, timezone), ends_at: legacyTime(endsAt, timezone), repeats, user, tag };
  }

  /** Creates or changes a window. @throws MonitorError naming the invalid field; StaleForm */
  async save({ id, title, starts_at, ends_at, repeats, user, tag, row_version }: WindowInput): Promise<void> {
    const startsAt = this.read('starts_at', starts_at);
    const endsAt = this.read('ends_at', ends_at);
    if (endsAt <= startsAt) throw new MonitorError('FIELD_WRONG', {}, { ends_at: 'monitor.field.window_end' });
    if (endsAt.getTime() - startsAt.getTime() >= MAX_LENGTH_MS[repeats])
      throw new MonitorError('FIELD_WRONG', {}, { ends_at: 'monitor.field.window_long' });
    const rows = this.database.repository(MaintenanceWindow);
    const account = user === '' ? null : await this.accounts.find(user);
    if (user !== '' && !account) throw new MonitorError('FIELD_WRONG', {}, { user: 'monitor.field.window_user' });
    const values = { title, startsAt, endsAt, repeats, user: account?.username ?? '', tag };
    if (id > 0) await this.change(id, values, row_version);
    else {
      if ((await rows.count()) >= MAX_WINDOWS) throw new MonitorError('WINDOW_LIMIT', { n: MAX_WINDOWS });
      const { identifiers } = await rows.insert({ ...values, createdAt: this.clock.now() });
      this.database.noteChange({ of: 'maintenance_window', id: Number(identifiers[0]!.id) }, null, values);
    }
    this.windows.forget();
  }

  /** Deletes a window. @throws MonitorError `WINDOW_MISSING` */
  async remove(id: number): Promise<void> {
    await this.database.transaction(async () => {
      const before = await this.held(id);
      await this.database.repository(MaintenanceWindow).delete({ id });
      this.database.noteChange({ of: 'maintenance_window', id, only: AUDITED_FIELDS }, before, null);
    });
    this.windows.forget();
  }

  private async change(id: number, values: Omit<MaintenanceWindow, 'id' | 'createdAt'>, version?: string): Promise<void> {
    await this.database.transaction(async () => {
      const before = await this.held(id);
      checkVersion(version, this.formOf(before));
      await this.database.repository(MaintenanceWindow).update({ id }, values);
      this.database.noteChange({ of: 'maintenance_window', id }, before, values);
    });
  }

  /** Locks and returns a window. @throws MonitorError `WINDOW_MISSING` */
  private async held(id: number): Promise<MaintenanceWindow> {
    await this.database.lockRow('MaintenanceWindow', 'id', id);
    const window = await this.database.repository(MaintenanceWindow).findOneBy({ id });
    if (!window) throw new MonitorError('WINDOW_MISSING');
    return window;
  }

  private read(field: string, text: string): Date {
    const moment = readLegacyTime(text, this.clock.timezone);
    if (!moment) throw new MonitorError('FIELD_WRONG', {}, { [field]: 'monitor.field.window_time' });
    return moment;
  }
}
