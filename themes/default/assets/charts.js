// Draws every chart of the page from the table that stands below it. Loaded behind Chart.js, on pages with a chart only.
(() => {
  'use strict';

  const drawn = new Map();
  const SERIES_COLOURS = ['primary', 'orange', 'green', 'purple'];

  function draw(figure) {
    // What a variable stands for, light or dark: its own text may be any CSS, which a drawing does not understand.
    const probe = figure.appendChild(document.createElement('span'));
    const colour = (name) => {
      probe.style.color = `var(--tblr-${name})`;
      return getComputedStyle(probe).color;
    };
    const heads = [...figure.querySelectorAll('thead [data-series]')];
    const rows = [...figure.querySelectorAll('tbody tr')];
    const cell = (row, at) => row.querySelectorAll('[data-value]')[at];
    const axis = (at) => (at === 0 ? 'y' : 'y1');
    const datasets = heads.map((head, at) => ({
      type: head.dataset.series,
      label: head.textContent,
      data: rows.map((row) => Number(cell(row, at).dataset.value)),
      yAxisID: axis(at),
      borderColor: colour(SERIES_COLOURS[at % SERIES_COLOURS.length]),
      backgroundColor: colour(SERIES_COLOURS[at % SERIES_COLOURS.length]),
      borderWidth: 2,
      borderRadius: 3,
      pointRadius: 0,
      pointHitRadius: 12,
      order: head.dataset.series === 'line' ? 0 : 1,
    }));
    const text = colour('body-color');
    const lines = colour('border-color');
    probe.remove();
    const scale = (position, drawOnChartArea) => ({
      position,
      beginAtZero: true,
      border: { color: lines },
      ticks: { color: text, precision: 0 },
      grid: { color: lines, tickColor: lines, drawOnChartArea },
    });
    drawn.get(figure)?.destroy();
    drawn.set(
      figure,
      new window.Chart(figure.querySelector('canvas'), {
        data: { labels: rows.map((row) => row.querySelector('th').textContent), datasets },
        options: {
          animation: false,
          maintainAspectRatio: false,
          interaction: { mode: 'index', intersect: false },
          scales: {
            x: { border: { color: lines }, ticks: { color: text, maxRotation: 0, autoSkipPadding: 16 }, grid: { display: false } },
            y: scale('left', true),
            ...(heads.length > 1 ? { y1: scale('right', false) } : {}),
          },
          plugins: {
            legend: { labels: { color: text } },
            tooltip: { callbacks: { label: ({ datasetIndex, dataIndex, dataset }) => `${dataset.label}: ${cell(rows[dataIndex], datasetIndex).textContent}` } },
          },
        },
      }),
    );
  }

  const drawAll = () => document.querySelectorAll('[data-chart]').forEach(draw);
  drawAll();
  // Light and dark have colours of their own.
  new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ['data-bs-theme'] });
})();
