import type { ToolSpec } from '../../model/conversion.ts';
import type { Lose } from '../../model/loss.ts';
import { isRecord } from '../../model/value.ts';
import { inside, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';

const TOOL: ReadonlySet<string> = new Set(['type', 'description', 'inputSchema', 'strict', 'execute']);

/** Tools are declared by name; a schema is plain JSON, or wrapped by the framework. */
export function readToolSet({ tools }: Readonly<Wire>, lose: Lose): readonly ToolSpec[] {
  if (!isRecord(tools)) return [];
  return Object.keys(tools).flatMap((name): readonly ToolSpec[] => {
    const spot = inside({ at: { message: -1 }, path: '' }, 'tools', name);
    const tool = tools[name];
    if (!isRecord(tool)) return [];
    loseKeys(tool, TOOL, { spot, lose });
    const { inputSchema: held } = tool;
    const schema = isRecord(held) && isRecord(held['jsonSchema']) ? held['jsonSchema'] : held;
    return [
      { name, ...maybe('description', textOf(tool['description'])), ...maybe('schema', schema), path: spot.path },
    ];
  });
}

export function writeToolSet(tools: readonly ToolSpec[]): Readonly<Record<string, unknown>> {
  const set = tools.map(({ name, description, schema }): [string, unknown] => [
    name,
    { ...maybe('description', description), inputSchema: { jsonSchema: schema ?? { type: 'object' } } },
  ]);
  return { tools: Object.fromEntries(set) };
}
