import type { CallPart, ResultPart } from '../../model/part.ts';
import { strictName } from './legal-name.ts';
import { UNNAMED } from './place.ts';

/** True for a result that names a tool, where the call names another; one that lost its name may be any. */
export function namesOtherTool(result: ResultPart, call: CallPart): boolean {
  const { tool = '' } = result;
  if (tool === call.tool || isUnnamed(tool) || isUnnamed(call.tool)) return false;
  // The name of a call may have been put into characters that the provider takes, and that of its result not.
  return strictName(tool) !== strictName(call.tool);
}

/** True for a name that is missing, or stands where one was lost. */
export function isUnnamed(tool: string | undefined): boolean {
  return tool === undefined || tool === '' || tool === UNNAMED;
}

/** A name by which two spellings of one tool are the same; an empty one where the name was lost. */
export function toolKey(tool: string | undefined): string {
  return tool === undefined || isUnnamed(tool) ? '' : strictName(tool);
}
