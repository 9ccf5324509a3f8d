import { type RuleDoc, explain, rules } from '@rethread/core';
import { type Example, examplesOf } from '@rethread/core/examples';
import type { Command } from 'commander';

import { type FileRule, fileRules } from '../files/file-rules.ts';
import { nearest } from '../terminal/nearest.ts';
import { type Output, createOutput, readTerminal } from '../terminal/output.ts';
import { plain } from '../terminal/plain.ts';
import { visibleJson } from '../terminal/visible.ts';
import { table, wrap } from '../terminal/wrap.ts';
import { Unreadable } from '../unreadable.ts';

const messageLines = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((message) => `    ${visibleJson(plain(message), 0)}`);

function exampleLines(example: Example): string[] {
  const head = `Example: ${example.name} (${example.dialect})`;
  if (!('before' in example)) return [];
  const after = 'after' in example ? ['  after the repair:', ...messageLines(example.after)] : [];
  return ['', head, '  before:', ...messageLines(example.before), ...after];
}

function printList(output: Output): void {
  const rows = [...rules(), ...fileRules].map(({ id, severity, loss, title }) => [id, severity, loss, title]);
  for (const line of table([['rule', 'severity', 'loss', 'breach'], ...rows], output.width)) output.print(line);
  output.print('');
  output.print('rethread explain <rule> tells more about one of them.');
}

/** What there is to tell about a rule, line by line. */
export function linesOf(rule: RuleDoc | FileRule, output: Pick<Output, 'tone' | 'width'>): string[] {
  const facts =
    'layer' in rule
      ? [
          ['dialects', rule.dialects.join(', ')],
          ['layer', rule.layer],
          ['evidence', rule.evidence.join(', ')],
        ]
      : [
          ['concerns', 'the file, whatever the dialect'],
          ['repair', rule.repair],
        ];
  const rows = [['severity', rule.severity], ['loss', `${rule.loss} (the most a repair costs)`], ...facts];
  const shown = examplesOf(rule.id).find((example) => 'before' in example);
  return [
    `${output.tone('bold', rule.id)}: ${rule.title}`,
    '',
    wrap(rule.summary, 0, output.width),
    '',
    ...table(rows, output.width),
    ...(shown === undefined ? [] : exampleLines(shown)),
  ];
}

/** A rule with its examples, as a machine reads it. */
function withExamples(rule: RuleDoc | FileRule): object {
  return 'layer' in rule ? { ...rule, examples: examplesOf(rule.id) } : rule;
}

function unknownRule(name: string): Unreadable {
  const names = [...rules(), ...fileRules].map(({ id }) => id);
  const near = nearest(name, names);
  const hint = near.length === 0 ? 'rethread explain lists them all' : `did you mean ${near.join(', ')}?`;
  return new Unreadable(`there is no rule ${name}; ${hint}`);
}

/** `rethread explain`: what a rule is about, from the same examples that test it. */
export function addExplain(program: Command): void {
  program
    .command('explain')
    .summary('tell what a rule is about, or list all rules')
    .description(
      'Tell what a rule is about: why a history gets that way, what the provider does, what the repair does.',
    )
    .argument('[rule]', 'the name of a rule, as the doctor prints it')
    .option('--json', 'print it for machines')
    .action((name: string | undefined, _: unknown, command: Command) => {
      const { json, color } = command.optsWithGlobals<{ json?: true; color: boolean }>();
      const output = createOutput(readTerminal(color));
      const rule = name === undefined ? undefined : (explain(name) ?? fileRules.find(({ id }) => id === name));
      if (name !== undefined && rule === undefined) throw unknownRule(name);
      if (json === true) {
        output.print(
          visibleJson(plain(rule === undefined ? [...rules(), ...fileRules].map(withExamples) : withExamples(rule)), 2),
        );
      } else if (rule === undefined) {
        printList(output);
      } else {
        for (const line of linesOf(rule, output)) output.print(line);
      }
    });
}
