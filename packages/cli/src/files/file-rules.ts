import type { Finding, Repair } from '@rethread/core';

/** A breach that lies in the file itself, where the core, which sees only the list, cannot know of it. */
export interface FileFinding {
  readonly rule: FileRule['id'];
  readonly severity: Finding['severity'];
  readonly line: number;
  readonly explain: string;
}

/** What `rethread explain` tells about such a breach. */
export interface FileRule {
  readonly id: 'torn-last-line' | 'json-cut-off' | 'lines-glued' | 'line-not-json' | 'bytes-not-utf8' | 'key-repeated';
  readonly title: string;
  readonly severity: Finding['severity'];
  readonly loss: Repair['loss'];
  readonly repair: string;
  readonly summary: string;
}

export const fileRules: readonly FileRule[] = [
  {
    id: 'torn-last-line',
    title: 'the last line of the file is half written',
    severity: 'rejected',
    loss: 'lossy',
    repair: 'leave it out of the file; its bytes stay in the backup',
    summary:
      'A process was killed while it wrote the last line of a JSONL file. The line is not JSON, so no reader can ' +
      'load it, and the next line that is appended is glued to it and lost as well. The repair leaves the line ' +
      'out. Its bytes are kept in the backup and can be read there.',
  },
  {
    id: 'json-cut-off',
    title: 'the JSON of the file ends in the middle of a value',
    severity: 'rejected',
    loss: 'lossy',
    repair: 'end it behind the last whole message; the other bytes stay in the backup',
    summary:
      'A program that keeps a session in one JSON text writes all of it anew each time. It was killed, or the disk ' +
      'was full, before it came to the end, or a power cut left zeros there. No reader can load such a file. The ' +
      'repair keeps every message that is whole, leaves out the one that is not, and puts the missing brackets in. ' +
      'What was to come behind the cut was never written, so look for a copy first.',
  },
  {
    id: 'lines-glued',
    title: 'several messages stand on one line of the file',
    severity: 'rejected',
    loss: 'none',
    repair: 'give each of them a line of its own',
    summary:
      'A JSONL file has one message in each line. Here a line end is missing: two processes appended at once, or a ' +
      'program wrote the line end first and the message next, and was killed between the two. A reader that takes ' +
      'the file line by line loses all of them. The repair puts the line ends in and changes no message.',
  },
  {
    id: 'line-not-json',
    title: 'a line of the file is not JSON',
    severity: 'rejected',
    loss: 'lossy',
    repair: 'leave it out of the file; its bytes stay in the backup',
    summary:
      'A line inside a JSONL file cannot be parsed: two processes wrote at once, a write was cut and the next one ' +
      'glued to it, or a power cut left a run of zero bytes. The repair leaves out what cannot be read, keeps every ' +
      'whole message that shares the line with it, and repairs what is broken by that. The bytes stay in the backup.',
  },
  {
    id: 'bytes-not-utf8',
    title: 'the file holds bytes that are not UTF-8',
    severity: 'degraded',
    loss: 'lossy',
    repair: 'write U+FFFD in place of each such byte; the original bytes stay in the backup',
    summary:
      'JSON is UTF-8. Bytes that are not were mostly left by a tool that cut a text in the middle of a character, ' +
      'or that copied the output of a program unread. Readers disagree about such a file. The repair writes the ' +
      'replacement character in their place; the backup keeps the bytes.',
  },
  {
    id: 'key-repeated',
    title: 'a key stands more than once in one object of a message that is written anew',
    severity: 'degraded',
    loss: 'lossy',
    repair: 'write the last of them alone; the others stay in the backup',
    summary:
      'JSON does not say what an object means in which a key stands twice. Nearly every reader, this one too, takes ' +
      'the last and forgets the others. A message that a repair leaves alone keeps its bytes, and so all of them. ' +
      'One that has to be written anew has the last one only.',
  },
];

const byId = new Map(fileRules.map((rule) => [rule.id, rule]));

export const fileRule = (id: FileRule['id']): FileRule => {
  const rule = byId.get(id);
  if (rule === undefined) throw new Error(`there is a file rule ${id}`);
  return rule;
};

/** Makes a located finding of a rule in the table above. */
export function fileFinding(id: FileRule['id'], line: number, explain: string): FileFinding {
  return { rule: id, severity: fileRule(id).severity, line, explain };
}
