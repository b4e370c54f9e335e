/** Draws every chart of the page from the table below it. Loaded on pages with a chart only. */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);
Object.assign(window, { Chart });

const drawn = new Map<Element, Chart>();
const SERIES_COLOURS = ['primary', 'orange', 'green', 'purple'];

function draw(figure: Element): void {
  // Resolves a CSS variable to a colour for the current scheme: its raw value may be any CSS, which a canvas does not understand.
  const probe = figure.appendChild(document.createElement('span'));
  const colour = (name: string): string => {
    probe.style.color = `var(--tblr-${name})`;
    return getComputedStyle(probe).color;
  };
  const heads = [...figure.querySelectorAll<HTMLElement>('thead [data-series]')];
  const rows = [...figure.querySelectorAll('tbody tr')];
  const cell = (row: Element | undefined, at: number): HTMLElement => row!.querySelectorAll<HTMLElement>('[data-value]')[at]!;
  const datasets = heads.map((head, at) => ({
    type: head.dataset.series as 'bar' | 'line',
    label: head.textContent ?? '',
    data: rows.map((row) => Number(cell(row, at).dataset.value)),
    yAxisID: at === 0 ? 'y' : 'y1',
    borderColor: colour(SERIES_COLOURS[at % SERIES_COLOURS.length]!),
    backgroundColor: colour(SERIES_COLOURS[at % SERIES_COLOURS.length]!),
    borderWidth: head.dataset.series === 'line' ? 2 : 0,
    borderRadius: 3,
    maxBarThickness: 48,
    // A single value has no line, so its point is shown.
    pointRadius: rows.length === 1 ? 4 : 0,
    pointHitRadius: 12,
    order: head.dataset.series === 'line' ? 0 : 1,
  }));
  const words = colour('body-color');
  const lines = colour('border-color');
  probe.remove();
  const scale = (position: 'left' | 'right', drawOnChartArea: boolean): object => ({
    position,
    beginAtZero: true,
    border: { color: lines },
    ticks: { color: words, precision: 0 },
    grid: { color: lines, tickColor: lines, drawOnChartArea },
  });
  drawn.get(figure)?.destroy();
  drawn.set(
    figure,
    new Chart(figure.querySelector('canvas')!, {
      data: { labels: rows.map((row) => row.querySelector('th')!.textContent), datasets },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: { border: { color: lines }, ticks: { color: words, maxRotation: 0, autoSkipPadding: 16 }, grid: { display: false } },
          y: scale('left', true),
          ...(heads.length > 1 ? { y1: scale('right', false) } : {}),
        },
        plugins: {
          legend: { labels: { color: words } },
          tooltip: {
            callbacks: {
              label: ({ datasetIndex, dataIndex, dataset }) => `${dataset.label}: ${cell(rows[dataIndex], datasetIndex).textContent}`,
            },
          },
        },
      },
    }),
  );
}

const drawAll = (): void => document.querySelectorAll('[data-chart]').forEach(draw);
drawAll();
// Light and dark schemes have different colours.
new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ['data-bs-theme'] });
