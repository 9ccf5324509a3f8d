import { pathToFileURL } from 'node:url';

import { rules } from '@rethread/core';
import type { Place } from '@rethread/formats';

import type { Examined, Outcome } from '../doctor/outcome.ts';
import { fileRules } from '../files/file-rules.ts';
import { visibleJson } from '../terminal/visible.ts';
import { version } from '../version.ts';

type Level = 'error' | 'warning' | 'note';

interface Result {
  readonly ruleId: string;
  readonly level: Level;
  readonly text: string;
  readonly file: string;
  readonly line?: number;
  readonly pointer?: string;
}

const levels = { rejected: 'error', degraded: 'warning', wasteful: 'note' } as const;

const placed = (place: Place | undefined): Pick<Result, 'line' | 'pointer'> => {
  if (place === undefined) return {};
  if (place.kind === 'line') return { line: place.line };
  return { pointer: place.kind === 'value' ? place.pointer : `${place.table}/${place.row}` };
};

function ofHistory({ name, examination, fileFindings, lineOf }: Examined): Result[] {
  const found = examination.report.findings.map(({ rule, severity, explain, at, providerError }) => {
    const line = lineOf(at.message);
    const text = providerError === undefined ? explain : `${explain}. Expected error: ${providerError}`;
    const where = line === undefined ? { pointer: at.pointer } : { line };
    return { ruleId: rule, level: levels[severity], text, file: name, ...where };
  });
  const inFile = fileFindings.map(({ rule, severity, explain, line }) => {
    return { ruleId: rule, level: levels[severity], text: explain, file: name, line };
  });
  return [...inFile, ...found];
}

function resultsOf(outcome: Outcome): Result[] {
  if (outcome.kind === 'examined') return ofHistory(outcome);
  if (outcome.kind !== 'session') return [];
  return outcome.judgement.findings.map(({ rule, severity, verdict, copes, note, expectedError, places: [first] }) => {
    // What the tool mends needs nobody to act.
    const level = verdict === undefined && copes === true ? 'note' : levels[severity];
    const text = expectedError === undefined ? note : `${note}. Expected error: ${expectedError}`;
    return { ruleId: rule, level, text, file: outcome.path, ...placed(first) };
  });
}

const titles: ReadonlyMap<string, string> = new Map([...rules(), ...fileRules].map(({ id, title }) => [id, title]));

function resultJson({ ruleId, level, text, file, line, pointer }: Result): object {
  const artifactLocation = { uri: file === 'standard input' ? 'stdin' : pathToFileURL(file).href };
  const region = line === undefined ? {} : { region: { startLine: line } };
  const logical = pointer === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: pointer }] };
  const locations = [{ physicalLocation: { artifactLocation, ...region }, ...logical }];
  return { ruleId, level, message: { text }, locations };
}

/** The findings as SARIF 2.1.0, for programs that show results of analyses. */
export function sarifReport(outcomes: readonly Outcome[]): string {
  const results = outcomes.flatMap(resultsOf);
  const used = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  const described = used.map((id) => ({ id, shortDescription: { text: titles.get(id) ?? id } }));
  const driver = {
    name: 'rethread',
    version,
    informationUri: 'https://github.com/rethread/rethread',
    rules: described,
  };
  const failed = outcomes.flatMap((outcome) => (outcome.kind === 'unreadable' ? [outcome] : []));
  const notices = failed.map(({ name, reason }) => ({ level: 'error', message: { text: `${name} ${reason}` } }));
  const invocation = { executionSuccessful: failed.length === 0, toolExecutionNotifications: notices };
  const run = { tool: { driver }, invocations: [invocation], results: results.map(resultJson) };
  return visibleJson({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, 2);
}
