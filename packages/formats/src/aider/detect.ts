import { dirname } from 'node:path';

import type { Sample } from '../files/sample.ts';
import { optional } from '../json.ts';
import type { Head } from '../session.ts';
import { titleFrom } from '../title.ts';

const START = /^# aider chat started at /m;

export const detect = ({ text, database }: Sample): boolean => database === undefined && START.test(text);

export const heads = ({ path, text }: Sample): Head[] => [
  { id: path, cwd: dirname(path), ...optional('title', promptTitle(text)) },
];

/** What the user said first that is no command. */
export const promptTitle = (text: string): string | undefined => titleFrom(/^#### (?![/!])(.*)$/m.exec(text)?.[1]);
