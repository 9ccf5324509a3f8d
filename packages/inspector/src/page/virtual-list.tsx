import { Component, type ComponentChild, type RefObject, type VNode } from 'preact';

import { Heights } from './heights.ts';

type Props = {
  /** Where whoever scrolls this list finds it. */
  readonly handle: RefObject<VirtualList | null>;
  readonly count: number;
  /** Changes when the rows are other ones; heights that were measured are forgotten then. */
  readonly version: string;
  readonly label: string;
  readonly estimate: (index: number) => number;
  readonly row: (index: number) => ComponentChild;
  readonly onRange?: (from: number, to: number) => void;
  readonly isFollowing?: boolean;
};

type State = { readonly from: number; readonly to: number; readonly revision: number };

/** Browsers cannot make an element much higher than 16 million pixels. */
const MOST_PIXELS = 8_000_000;
const OVERSCAN = 400;
const IDLE_MS = 150;

/**
 * A list that only has the rows in the page that can be seen. `top` is the offset of the window in the rows; the
 * scroll position stands for it, at a smaller scale where the rows are higher than an element can be. While somebody
 * scrolls, the two move together and differ by `shift`; when they stop, the scroll position is put right.
 */
export class VirtualList extends Component<Props, State> {
  override state: State = { from: 0, to: 0, revision: 0 };
  #heights: Heights = new Heights(0, () => 0);
  #version = '';
  #count = -1;
  #element: HTMLElement | null = null;
  #top = 0;
  #scrollTop = 0;
  #view = 600;
  #target: { readonly index: number; readonly align: 'start' | 'center'; readonly until: number } | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  readonly #rows: Map<Element, number> = new Map();
  readonly #observer: ResizeObserver = new ResizeObserver((entries) => this.#measure(entries));

  override componentDidMount(): void {
    this.props.handle.current = this;
    this.#reset();
    if (this.#element !== null) this.#observer.observe(this.#element);
  }

  override componentDidUpdate(): void {
    if (this.#version !== this.props.version || this.#count !== this.props.count) this.#reset();
  }

  override componentWillUnmount(): void {
    this.props.handle.current = null;
    clearTimeout(this.#idle);
    this.#observer.disconnect();
  }

  /** Shows a row. */
  scrollTo(index: number, align: 'start' | 'center' = 'start'): void {
    this.#target = { index, align, until: performance.now() + 800 };
    this.#aim();
  }

  /** Shows a row that cannot be seen, and leaves alone one that can. */
  reveal(index: number): void {
    const top = this.#heights.top(index);
    const bottom = top + this.#heights.of(index);
    const isSeen = top >= this.#top && (bottom <= this.#top + this.#view || top < this.#top + this.#view * 0.4);
    if (!isSeen) this.scrollTo(index, top < this.#top ? 'start' : 'center');
  }

  /** The row at the upper edge. */
  get first(): number {
    return this.#heights.find(this.#top + 1);
  }

  get isAtEnd(): boolean {
    return this.#top + this.#view >= this.#heights.total - 40;
  }

  #reset(): void {
    const { count, version, estimate, isFollowing } = this.props;
    const grows = version === this.#version && count > this.#count && this.#count > 0;
    const before = this.#heights;
    const wasAtEnd = grows && this.isAtEnd;
    this.#heights = new Heights(count, (at) => (grows && before.isMeasured(at) ? before.of(at) : estimate(at)));
    if (!grows) this.#top = 0;
    // Rows that keep their size are not measured again by themselves.
    for (const [row, index] of this.#rows) if (index < count) this.#heights.measure(index, row.clientHeight);
    [this.#version, this.#count] = [version, count];
    this.#view = this.#element?.clientHeight ?? this.#view;
    if (isFollowing === true && wasAtEnd && count > 0) this.scrollTo(count - 1);
    this.#place();
    this.#show();
  }

  get #spacer(): number {
    return Math.min(this.#heights.total, MOST_PIXELS);
  }

  /** Puts the scroll position where it belongs. */
  #place(): void {
    const most = Math.max(0, this.#heights.total - this.#view);
    this.#top = Math.max(0, Math.min(this.#top, most));
    const spacerMost = Math.max(0, this.#spacer - this.#view);
    const wanted = most === 0 ? 0 : Math.round((this.#top / most) * spacerMost);
    const inner = this.#element?.firstElementChild;
    if (inner instanceof HTMLElement) inner.style.height = `${this.#spacer}px`;
    if (this.#element !== null && Math.abs(this.#element.scrollTop - wanted) > 1) this.#element.scrollTop = wanted;
    this.#scrollTop = this.#element?.scrollTop ?? 0;
  }

  #aim(): void {
    const target = this.#target;
    if (target === undefined) return;
    const height = this.#heights.of(target.index);
    const room = target.align === 'center' ? Math.max(0, (this.#view - height) / 2) : 12;
    this.#top = this.#heights.top(target.index) - Math.min(room, this.#view * 0.3);
    this.#place();
    this.#show();
  }

  readonly #onScroll = (): void => {
    const element = this.#element;
    if (element === null) return;
    const moved = element.scrollTop - this.#scrollTop;
    this.#scrollTop = element.scrollTop;
    if (moved === 0) return;
    const most = Math.max(0, this.#heights.total - this.#view);
    const isJump = Math.abs(moved) > this.#view * 4;
    const spacerMost = Math.max(1, this.#spacer - this.#view);
    this.#top = isJump ? (element.scrollTop / spacerMost) * most : this.#top + moved;
    this.#top = Math.max(0, Math.min(this.#top, most));
    const isAtEdge = element.scrollTop <= 0 || element.scrollTop >= spacerMost;
    clearTimeout(this.#idle);
    if (isAtEdge) this.#place();
    else this.#idle = setTimeout(() => this.#settle(), IDLE_MS);
    this.#show();
  };

  readonly #settle = (): void => {
    this.#place();
    this.#show();
  };

  readonly #release = (): void => {
    this.#target = undefined;
  };

  #measure(entries: readonly ResizeObserverEntry[]): void {
    let above = 0;
    let isChanged = false;
    for (const { target, borderBoxSize } of entries) {
      const index = this.#rows.get(target);
      if (index === undefined) {
        this.#view = this.#element?.clientHeight ?? this.#view;
        isChanged = true;
        continue;
      }
      const top = this.#heights.top(index);
      const isAbove = this.#heights.isMeasured(index) ? top + this.#heights.of(index) <= this.#top : top < this.#top;
      const change = this.#heights.measure(index, borderBoxSize[0]?.blockSize ?? 0);
      if (change === 0) continue;
      isChanged = true;
      if (isAbove) above += change;
    }
    if (!isChanged) return;
    this.#top += above;
    if (this.#target !== undefined && performance.now() < this.#target.until) {
      this.#aim();
      return;
    }
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#settle(), IDLE_MS);
    this.#show();
  }

  #show(): void {
    const { count } = this.props;
    const from = count === 0 ? 0 : this.#heights.find(Math.max(0, this.#top - OVERSCAN));
    const to = count === 0 ? 0 : this.#heights.find(this.#top + this.#view + OVERSCAN) + 1;
    this.setState(({ revision }) => ({ from, to, revision: revision + 1 }));
    this.props.onRange?.(from, to);
  }

  #hold(index: number, element: HTMLElement | null, before: HTMLElement | null): HTMLElement | null {
    if (before !== null && before !== element) {
      this.#observer.unobserve(before);
      this.#rows.delete(before);
    }
    if (element !== null && this.#rows.get(element) !== index) {
      this.#rows.set(element, index);
      this.#observer.observe(element);
    }
    return element;
  }

  render({ label, row, count }: Props, { from, to }: State): VNode {
    const shift = this.#top - this.#scrollTop;
    const rows: VNode[] = [];
    for (let index = from; index < Math.min(to, count); index += 1) {
      rows.push(
        <Held key={index} index={index} top={this.#heights.top(index) - shift} hold={this.#held}>
          {row(index)}
        </Held>,
      );
    }
    return (
      <div
        class="virtual"
        role="list"
        aria-label={label}
        tabIndex={0}
        ref={this.#take}
        onScroll={this.#onScroll}
        onWheel={this.#release}
        onTouchMove={this.#release}
        onPointerDown={this.#release}
      >
        <div class="virtual-inner" role="presentation">
          {rows}
        </div>
      </div>
    );
  }

  // A function that is made anew would be called for nothing with every drawing.
  readonly #take = (element: HTMLElement | null): void => {
    this.#element = element;
  };

  readonly #held = (index: number, element: HTMLElement | null, before: HTMLElement | null): HTMLElement | null =>
    this.#hold(index, element, before);
}

type HeldProps = {
  readonly index: number;
  readonly top: number;
  readonly hold: (index: number, element: HTMLElement | null, before: HTMLElement | null) => HTMLElement | null;
  readonly children: ComponentChild;
};

/** A row at its place. */
class Held extends Component<HeldProps> {
  #element: HTMLElement | null = null;

  readonly #ref = (element: HTMLElement | null): void => {
    this.#element = this.props.hold(this.props.index, element, this.#element);
  };

  render({ top, children }: HeldProps): VNode {
    return (
      <div
        class="virtual-row"
        role="listitem"
        ref={this.#ref}
        style={{ transform: `translateY(${Math.round(top)}px)` }}
      >
        {children}
      </div>
    );
  }
}
