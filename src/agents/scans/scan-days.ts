import { Injectable } from '@nestjs/common';

import { DAY_MS, legacyDay, translate, type Locale } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import type { Chart } from '../../web/index.js';

/** Keywords of a report counted individually; the rest is counted together. */
const COUNTED_WORDS = 20;
/** Number of keywords with a line in the chart. */
const CHART_WORDS = 3;
/** Maximum number of keywords in the API response. */
const MAX_WORDS = 50;

/** Matches per day, oldest first, and the most frequent keywords. */
export interface ScanTrend {
  readonly days: readonly { readonly day: string; readonly matches: number; readonly words: Readonly<Record<string, number>> }[];
  readonly words: readonly { readonly word: string; readonly matches: number }[];
}

/** Counts matches per day and keyword as reports arrive, so that reading them does not aggregate a million rows. */
@Injectable()
export class ScanDays {
  private readonly since;
  private readonly dropBefore;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {
    this.since = database.statement<{ day: string; word: string; matches: number }>(
      `SELECT {ForbiddenDay.day} AS day, {ForbiddenDay.keyword} AS word, {ForbiddenDay.matches} AS matches FROM {ForbiddenDay}
       WHERE {ForbiddenDay.day} >= ? ORDER BY {ForbiddenDay.day}, {ForbiddenDay.keyword} LIMIT 100000`,
    );
    this.dropBefore = database.statement('DELETE FROM {ForbiddenDay} WHERE {ForbiddenDay.day} < ?');
  }

  /** Counts the matches of a report; called in the transaction that stores it. */
  async count(matches: readonly { readonly keyword: string }[]): Promise<void> {
    const counts = new Map<string, number>();
    for (const { keyword } of matches) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
    const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    const named = new Map(sorted.slice(0, COUNTED_WORDS));
    for (const [, n] of sorted.slice(COUNTED_WORDS)) named.set('', (named.get('') ?? 0) + n);
    if (named.size === 0) return;
    // Sorted, so that concurrent writers lock rows in the same order and cannot deadlock.
    const rows = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
    const added = this.database.engine === 'sqlite' ? 'excluded.{ForbiddenDay.matches}' : 'VALUES({ForbiddenDay.matches})';
    await this.database
      .statement(
        `INSERT INTO {ForbiddenDay} ({ForbiddenDay.day}, {ForbiddenDay.keyword}, {ForbiddenDay.matches})
          VALUES ${rows.map(() => '(?, ?, ?)').join(', ')}
         ${this.database.onConflict('day', 'keyword')} {ForbiddenDay.matches} = {ForbiddenDay.matches} + ${added}`,
      )
      .run(...rows.flatMap(([word, n]) => [this.dayAt(0), word, n]));
  }

  /** @param days number of days, including today */
  async trend(days: number): Promise<ScanTrend> {
    const names = Array.from({ length: days }, (_, i) => this.dayAt(i + 1 - days));
    const perDay = new Map(names.map((day) => [day, { day, matches: 0, words: {} as Record<string, number> }]));
    const perWord = new Map<string, number>();
    for (const { day, word, matches } of await this.since.all(names[0]!)) {
      const of = perDay.get(day);
      if (!of) continue;
      of.matches += matches;
      of.words[word] = matches;
      perWord.set(word, (perWord.get(word) ?? 0) + matches);
    }
    const words = [...perWord]
      .map(([word, matches]) => ({ word, matches }))
      .sort((a, b) => b.matches - a.matches || (a.word < b.word ? -1 : 1));
    return { days: [...perDay.values()], words: words.slice(0, MAX_WORDS) };
  }

  /** Returns the data of the partial `chart`: total and most frequent keywords; null without matches. */
  async chart(days: number, locale: Locale): Promise<Chart | null> {
    const trend = await this.trend(days);
    const words = trend.words.filter(({ word }) => word !== '').slice(0, CHART_WORDS);
    if (trend.words.length === 0) return null;
    const value = (number: number) => ({ number, text: String(number) });
    return {
      title: translate(locale, 'node.chart_title', { n: days }),
      label: translate(locale, 'node.chart_day'),
      series: [
        { title: translate(locale, 'node.chart_all'), kind: 'bar' as const },
        ...words.map(({ word }) => ({ title: word, kind: 'line' as const })),
      ],
      rows: trend.days.map(({ day, matches, words: of }) => ({
        label: day.slice(5),
        values: [value(matches), ...words.map(({ word }) => value(of[word] ?? 0))],
      })),
    };
  }

  /** Removes days before a time. */
  async removeBefore(moment: Date): Promise<void> {
    await this.dropBefore.run(legacyDay(moment, this.clock.timezone));
  }

  /** Returns the day with an offset from today, in the panel's time zone. */
  private dayAt(offset: number): string {
    const today = Date.parse(this.clock.today());
    return new Date(today + offset * DAY_MS).toISOString().slice(0, 10);
  }
}
