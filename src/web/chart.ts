/** A line, or the bars, of a chart. */
export interface ChartSeries {
  readonly title: string;
  readonly kind: 'bar' | 'line';
}

/** Data of the partial `chart`; see docs/themes.md "Components". Numbers and their words stand in a table below the drawing. */
export interface Chart {
  readonly title: string;
  /** Heading of what the points are named by. */
  readonly label: string;
  /** The first one's axis is on the left, all others share the one on the right. */
  readonly series: readonly ChartSeries[];
  readonly rows: readonly {
    readonly label: string;
    /** One for each series. */
    readonly values: readonly { readonly number: number; readonly text: string }[];
  }[];
}
