import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import type { FindingView, Mark } from '../api.ts';
import { weightOf } from './findings.tsx';
import type { RowKinds } from './row-kinds.ts';

type Props = {
  readonly kinds: RowKinds;
  readonly findings: readonly FindingView[];
  readonly marks: readonly Mark[];
  readonly window: readonly [from: number, to: number];
  readonly theme: string;
  readonly go: (row: number) => void;
};

/** The whole session at a glance: who speaks, what is not sent, where something happened and where it broke. */
export function Minimap(props: Props): VNode {
  const { kinds, window: seen, go } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => paint(element, props));
    observer.observe(element);
    paint(element, props);
    return () => observer.disconnect();
  }, [props.kinds, props.findings, props.marks, props.theme]);
  const count = Math.max(1, kinds.bytes.length);
  const jump = (event: PointerEvent): void => {
    const { top, height } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    go(Math.max(0, Math.min(count - 1, Math.floor(((event.clientY - top) / height) * count))));
  };
  const drag = (event: PointerEvent): void => {
    if (event.buttons === 1) jump(event);
  };
  const share = (seen[1] - seen[0]) / count;
  const style = { top: `${(seen[0] / count) * 100}%`, height: `max(6px, ${share * 100}%)` };
  return (
    <div class="minimap" aria-hidden="true" onPointerDown={jump} onPointerMove={drag}>
      <canvas ref={canvas} />
      <div class="minimap-window" style={style} />
    </div>
  );
}

const ROW_COLORS = { user: '--map-user', step: '--map-step', result: '--map-result', system: '--map-result' } as const;

function paint(canvas: HTMLCanvasElement, { kinds, findings, marks }: Props): void {
  const scale = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (context === null || height === 0) return;
  context.scale(scale, scale);
  const styles = getComputedStyle(canvas);
  const color = (name: string): string => styles.getPropertyValue(name).trim();
  const count = kinds.bytes.length;
  const tall = Math.max(1, Math.min(6, height / Math.max(1, count)));
  // With more rows than pixels, a pixel shows one of its rows.
  const step = Math.max(1, Math.floor(count / height));
  for (let row = 0; row < count; row += step) {
    const kind = kinds.kind(row);
    const name = kind in ROW_COLORS ? ROW_COLORS[kind as keyof typeof ROW_COLORS] : undefined;
    if (name === undefined) continue;
    context.globalAlpha = kinds.isUnsent(row) ? 0.3 : 1;
    context.fillStyle = color(name);
    const long = Math.min(1, Math.log2(2 + kinds.characters(row)) / 14);
    context.fillRect(3, (row / count) * height, Math.max(2, (width - 6) * long), Math.max(1, tall - 0.5));
  }
  context.globalAlpha = 1;
  for (const { row, kind } of marks)
    bar(context, { y: (row / count) * height, width, fill: color(kind === 'compaction' ? '--accent' : '--warn') });
  for (const finding of findings) {
    if (finding.row === undefined) continue;
    const fill = color(weightOf(finding) === 'refused' ? '--bad' : '--warn');
    bar(context, { y: (finding.row / count) * height, width, fill });
  }
}

type Bar = { readonly y: number; readonly width: number; readonly fill: string };

function bar(context: CanvasRenderingContext2D, { y, width, fill }: Bar): void {
  context.fillStyle = fill;
  context.fillRect(0, Math.max(0, y - 1), width, 3);
}
