import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

import { countWords } from './words.ts';

export type Series = {
  readonly name: string;
  readonly color: string;
  readonly values: readonly (number | null)[];
  readonly isArea?: boolean;
};

type Props = {
  readonly title: string;
  readonly note: string;
  /** What the first column counts. */
  readonly unit: string;
  readonly x: readonly number[];
  readonly series: readonly Series[];
  /** Places on the x axis at which something happened. */
  readonly marks?: readonly number[];
  readonly theme: string;
};

const HEIGHT = 220;

/** A chart with a table that says the same. */
export function Chart(props: Props): VNode {
  const { title, note, x, series, theme } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null || x.length === 0) return undefined;
    const plot = new uPlot(options(props, element), [[...x], ...series.map(({ values }) => [...values])], element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [x, series, theme]);
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
        <p class="note">{note}</p>
      </figcaption>
      <div class="chart-place" ref={place} aria-hidden="true" />
      <Legend series={series} />
      <details>
        <summary>Show as a table</summary>
        <ChartTable {...props} />
      </details>
    </figure>
  );
}

function Legend({ series }: Pick<Props, 'series'>): VNode {
  return (
    <ul class="legend" aria-hidden="true">
      {series.map(({ name, color }) => (
        <li key={name}>
          <span class="swatch" style={{ background: `var(${color})` }} /> {name}
        </li>
      ))}
    </ul>
  );
}

/** More rows than this are thinned out: the table is there to be read. */
const MOST_ROWS = 60;

function ChartTable({ title, unit, x, series }: Props): VNode {
  const step = Math.max(1, Math.ceil(x.length / MOST_ROWS));
  const rows = Array.from(x.keys()).filter((at) => at % step === 0 || at === x.length - 1);
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((at) => (
            <tr key={at}>
              <th scope="row">{x[at]}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{values[at] === null || values[at] === undefined ? '' : countWords(values[at])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function options({ series, marks = [] }: Props, element: HTMLElement): uPlot.Options {
  const styles = getComputedStyle(element);
  const color = (name: string): string => styles.getPropertyValue(name).trim();
  const font = '11px system-ui, sans-serif';
  const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false }, font };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, most * 1.05 || 1] } },
    axes: [
      { ...axis, size: 28 },
      { ...axis, size: 52, values: (_, values) => values.map(countWords) },
    ],
    series: [
      {},
      ...series.map(({ color: name, isArea }) => ({
        stroke: color(name),
        width: isArea === true ? 0 : 1.5,
        points: { show: false },
        ...(isArea === true ? { fill: color(name) } : {}),
      })),
    ],
    hooks: { draw: [(plot) => drawMarks(plot, marks, color('--accent'))] },
  };
}

function drawMarks(plot: uPlot, marks: readonly number[], stroke: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.setLineDash([4, 4]);
  for (const mark of marks) {
    const x = plot.valToPos(mark, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
