/** A line or the bars of a chart. */
export interface ChartSeries {
  readonly title: string;
  readonly kind: 'bar' | 'line';
}

/** Data of the partial `chart`; see docs/themes.md "Components". A table below the drawing contains the numbers with their texts. */
export interface Chart {
  readonly title: string;
  /** Heading of the points' labels. */
  readonly label: string;
  /** The first one uses the left axis, all others share the right one. */
  readonly series: readonly ChartSeries[];
  readonly rows: readonly {
    readonly label: string;
    /** One per series. */
    readonly values: readonly { readonly number: number; readonly text: string }[];
  }[];
}
