import { createHash } from 'node:crypto';

import { explain } from '@rethread/core';
import type { SessionRef } from '@rethread/formats';

import type { RuleView, StaticSession } from '../api.ts';
import { nextRequest, viewPairs } from '../reader/next-request.ts';
import { readSession } from '../reader/open-session.ts';
import { viewRows } from '../reader/view-rows.ts';
import { readPage } from '../server/page-files.ts';

export type StaticOptions = {
  /** Shown on the page. */
  readonly version: string;
};

/** More rows than this make a page that no browser opens gladly. */
const MOST_ROWS = 50_000;

/**
 * Makes one HTML file that shows a session without a server: the same page, with everything it shows inside of it. It
 * asks for nothing from anywhere.
 */
export async function renderStatic(ref: SessionRef, { version }: StaticOptions): Promise<string> {
  const files = await readPage(new URL('page/', import.meta.url));
  const text = (path: string): string => files.get(path)?.text.toString('utf8') ?? '';
  const data = await staticSession(ref, version);
  // Nothing in a script may end it.
  const script = text('/page.js').replace(/<\/(script)/gi, '<\\/$1');
  const style = text('/page.css');
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<title>rethread</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="app"></div>',
    `<script type="application/json" id="session-data">${json}</script>`,
    `<script type="module">${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

async function staticSession(ref: SessionRef, version: string): Promise<StaticSession> {
  const open = await readSession({ ...ref, key: 'session' }, () => undefined);
  try {
    const { overview, index } = open;
    if (index.rows > MOST_ROWS) {
      throw new RangeError(
        `A page can show ${MOST_ROWS} rows, and this session has ${index.rows}. Export a part of it.`,
      );
    }
    const next = nextRequest(open, {});
    const broken = new Set([...overview.findings, ...next.view.findings].map(({ rule }) => rule));
    return {
      version,
      overview,
      rows: await viewRows(open, 0, index.rows),
      rowOfEntry: Array.from({ length: overview.entries }, (_, entry) => index.rowOf(entry)),
      request: next.view,
      pairs: viewPairs(open, next, { from: 0, to: next.pairs.length }),
      rules: [...broken].flatMap((rule): readonly RuleView[] => {
        const found = explain(rule);
        return found === undefined ? [] : [found];
      }),
    };
  } finally {
    await open.store.close();
  }
}
