import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';

import { SHARES, type Overview } from '../api.ts';
import { Chart, type Series } from './chart.tsx';
import { exactWords, plural } from './words.ts';

type Props = { readonly overview: Overview; readonly theme: string };

/** Where tokens, time and failures went. */
export function Charts({ overview, theme }: Props): VNode {
  const { usage, shares, tools } = overview;
  const isEmpty = usage.length === 0 && shares.length === 0 && tools.length === 0;
  if (isEmpty) return <p class="empty">This session has no answers yet, so there is nothing to draw.</p>;
  return (
    <div class="charts">
      {usage.length > 0 && <TokensChart overview={overview} theme={theme} />}
      {usage.length > 0 && <TotalChart overview={overview} theme={theme} />}
      {shares.length > 0 && <SharesChart overview={overview} theme={theme} />}
      {tools.length > 0 && <ToolsTable overview={overview} />}
      {overview.findings.length > 0 && <RulesTable overview={overview} />}
    </div>
  );
}

function TokensChart({ overview: { usage, marks }, theme }: Props): VNode {
  const { x, series, at } = useMemo(() => {
    const x = usage.map((_, step) => step + 1);
    const window = usage.findLast((each) => each.window !== undefined)?.window;
    const series: Series[] = [
      { name: 'Request', color: '--chart-1', values: usage.map(({ input }) => input) },
      { name: 'of it from the cache', color: '--chart-2', values: usage.map(({ cached }) => cached) },
      { name: 'Answer', color: '--chart-3', values: usage.map(({ output }) => output) },
    ];
    if (window !== undefined) series.push({ name: 'Window', color: '--bad', values: usage.map(() => window) });
    const compactions = marks.filter(({ kind }) => kind === 'compaction');
    const at = compactions
      .map(({ row }) => usage.findIndex((each) => each.row >= row) + 0.5)
      .filter((step) => step > 0);
    return { x, series, at };
  }, [usage, marks]);
  const note = `${plural(usage.length, 'answer')} with usage recorded by the tool. A dashed line is a compaction.`;
  return (
    <Chart title="Tokens of each request" note={note} unit="Answer" x={x} series={series} marks={at} theme={theme} />
  );
}

function TotalChart({ overview: { usage }, theme }: Props): VNode {
  const { x, series } = useMemo(() => {
    let [fresh, output] = [0, 0];
    const sums = usage.map((each) => {
      fresh += Math.max(0, each.input - each.cached);
      output += each.output;
      return [fresh, output] as const;
    });
    const series: Series[] = [
      { name: 'Request tokens that no cache had', color: '--chart-1', values: sums.map(([input]) => input) },
      { name: 'Answer tokens', color: '--chart-3', values: sums.map(([, made]) => made) },
    ];
    return { x: usage.map((_, step) => step + 1), series };
  }, [usage]);
  return (
    <Chart
      title="Tokens so far"
      note="Added up over the whole session."
      unit="Answer"
      x={x}
      series={series}
      theme={theme}
    />
  );
}

const SHARE_NAMES: Readonly<Record<(typeof SHARES)[number], string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Answers',
  reasoning: 'Reasoning',
  calls: 'Calls',
  results: 'Results',
  media: 'Media',
};

function SharesChart({ overview: { shares }, theme }: Props): VNode {
  const { x, series } = useMemo(() => {
    const used = SHARES.flatMap((share, at) => ((shares.at(-1)?.sums[at] ?? 0) > 0 ? [{ share, at }] : []));
    // Each area reaches from the bottom up to its sum, so that the first one is drawn last.
    const series = used.map(({ share }, order): Series => {
      const below = used.slice(0, order + 1);
      const values = shares.map(({ sums }) => below.reduce((sum, { at }) => sum + (sums[at] ?? 0), 0));
      return { name: SHARE_NAMES[share], color: `--chart-${order + 1}`, values, isArea: true };
    });
    return { x: shares.map(({ message }) => message + 1), series: series.toReversed() };
  }, [shares]);
  const note = 'Characters of the next request, message by message; each area stands on the one below it.';
  return <Chart title="Who fills the window" note={note} unit="Message" x={x} series={series} theme={theme} />;
}

const seconds = (ms: number): string =>
  ms >= 60_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 1000).toFixed(1)} s`;

function ToolsTable({ overview: { tools } }: { readonly overview: Overview }): VNode {
  const most = Math.max(1, ...tools.map(({ calls }) => calls));
  return (
    <figure class="card chart">
      <figcaption>
        <h2>Tools</h2>
        <p class="note">Calls, failures and the time until the result was recorded.</p>
      </figcaption>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Tools">
        <table>
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col">Calls</th>
              <th scope="col">Failed</th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody>
            {tools.slice(0, 40).map(({ tool, calls, failures, ms }) => (
              <tr key={tool}>
                <th scope="row">{tool}</th>
                <td>
                  {exactWords(calls)} <CountBar share={calls / most} failed={failures / Math.max(1, calls)} />
                </td>
                <td>{failures === 0 ? '' : exactWords(failures)}</td>
                <td>{ms === 0 ? '' : seconds(ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function CountBar({ share, failed }: { readonly share: number; readonly failed: number }): VNode {
  return (
    <span class="count-bar" style={{ width: `${Math.max(2, share * 120)}px` }} aria-hidden="true">
      <span style={{ width: `${failed * 100}%` }} />
    </span>
  );
}

function RulesTable({ overview: { findings } }: { readonly overview: Overview }): VNode {
  const counts = Array.from(
    Map.groupBy(findings, ({ rule }) => rule),
    ([rule, found]) => ({ rule, count: found.length }),
  );
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return (
    <figure class="card chart">
      <figcaption>
        <h2>Findings by rule</h2>
      </figcaption>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Findings by rule">
        <table>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Findings</th>
            </tr>
          </thead>
          <tbody>
            {counts
              .sort((a, b) => b.count - a.count)
              .map(({ rule, count }) => (
                <tr key={rule}>
                  <th scope="row">{rule}</th>
                  <td>
                    {exactWords(count)} <CountBar share={count / most} failed={0} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
