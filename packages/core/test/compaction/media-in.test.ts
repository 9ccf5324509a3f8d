import { describe, expect, test } from 'vitest';
import { mediaIn } from '../../src/compaction/media-in.ts';
import { anthropic } from '../words.ts';

const { text } = anthropic;

const payload = 'QUJDRA'.repeat(40);

describe('media in a result', () => {
  test.each<[string, unknown, unknown[]]>([
    ['bytes', { type: 'file', data: new Uint8Array(2048), mediaType: 'image/png' }, [['image/png', 2048, 0]]],
    ['an address that is an object', { type: 'image', image: new URL('https://example.org/a.png') }, [['image', 0, 0]]],
    ['a data address without a type', { type: 'input_image', image_url: 'data:,abc' }, [['image', 2, 9]]],
    ['a data address', { type: 'input_image', image_url: 'data:image/gif;base64,AAAA' }, [['image/gif', 3, 26]]],
    [
      'a type that is named twice',
      { media_type: 'a/b', kind: 'binary', data: 'data:c/d;base64,AAAA' },
      [['a/b', 3, 20]],
    ],
    ['a key that says what it is', { image: { format: 'png', source: { bytes: payload } } }, [['png', 180, 240]]],
    ['data inside of a part', { inlineData: { mimeType: 'audio/wav', data: payload } }, [['audio/wav', 180, 240]]],
    ['data without a type', { inline_data: { data: payload } }, [['media', 180, 240]]],
    ['a name of a file alone', { type: 'file', name: 'a.txt', size: 3, tags: null, list: [['a']] }, []],
    ['a list of both', [text('x'), { type: 'image', url: 'https://a' }], [['image', 0, 0]]],
    ['bytes by themselves', new Uint8Array(3), []],
    ['a text', payload, []],
  ])('%s', (_, value, expected) => {
    expect(mediaIn(value).map(({ what, bytes, characters }) => [what, bytes, characters])).toEqual(expected);
  });

  test('what lies very deep is not looked for', () => {
    let deep: unknown = { type: 'image', url: 'https://a' };
    for (let level = 0; level < 12; level += 1) deep = { deep };
    expect(mediaIn(deep)).toEqual([]);
    let inner: unknown = { data: payload };
    for (let level = 0; level < 12; level += 1) inner = { inner };
    expect(mediaIn({ type: 'image', inner })).toEqual([]);
  });
});
