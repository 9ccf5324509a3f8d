import type { Case } from '../../model/rule.ts';
import { isRecord } from '../../model/value.ts';
import { wireOf } from './place.ts';

const UNMARKED = 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant';

/** Why a request may not end in an assistant message; undefined where it may. */
export function prefillRefusal(found: Case): string | undefined {
  const { prefill } = found.profile;
  if (prefill === 'allowed') return undefined;
  if (prefill === 'marked') return isMarked(found) ? undefined : UNMARKED;
  if (prefill === 'refused') {
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  const cause = prefillCause(found);
  if (cause === undefined) return undefined;
  return (
    'Your API request included an `assistant` message in the final position, which would pre-fill the `assistant` ' +
    `response. When using ${cause}, pre-filling the \`assistant\` response is not supported.`
  );
}

/** An answer that says it is to be continued, behind something it answers. */
function isMarked(found: Case): boolean {
  return wireOf(found.message(found.fact.message))['prefix'] === true && found.count > 1;
}

function prefillCause({ request, body }: Case): string | undefined {
  if (request === undefined || body === undefined) return undefined;
  if (request.reasoningOn) return 'thinking';
  if (request.toolCount > 0) return 'tools';
  const format = isRecord(body['output_config']) ? body['output_config']['format'] : body['output_format'];
  return format === undefined || format === null ? undefined : 'output format';
}
