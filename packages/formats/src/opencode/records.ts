import { isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant']);

/** A message with its parts, as exports have it. */
export const isMessage = (value: JsonObject): boolean =>
  ROLES.has(textAt(objectAt(value, 'info'), 'role') ?? '') && Array.isArray(value['parts']);

/** What `opencode export` writes. */
export const isExport = (value: unknown): value is JsonObject => {
  const info = isObject(value) ? objectAt(value, 'info') : undefined;
  if (info === undefined || !isObject(value) || !Array.isArray(value['messages'])) return false;
  const isSession = (textAt(info, 'id') ?? '').startsWith('ses') || textAt(info, 'projectID') !== undefined;
  return isSession && listAt(value, 'messages').every((message) => !isObject(message) || isMessage(message));
};

/** The file of a session in the store of files. */
export const isStoredSession = (value: unknown): value is JsonObject =>
  isObject(value) &&
  (textAt(value, 'id') ?? '').startsWith('ses') &&
  objectAt(value, 'time') !== undefined &&
  textAt(value, 'title') !== undefined &&
  !Object.hasOwn(value, 'messages');

/** What a part says, for which an assistant that was aborted is still sent. */
export const isContent = ({ type }: JsonObject): boolean => type !== 'step-start' && type !== 'reasoning';

/** The provider and the model of a message: of an answer its own, of a prompt those that were chosen for it. */
export function modelOf(info: JsonObject): { readonly provider: string | undefined; readonly id: string | undefined } {
  const chosen = objectAt(info, 'model');
  return {
    provider: textAt(info, 'providerID') ?? textAt(chosen, 'providerID'),
    id: textAt(info, 'modelID') ?? textAt(chosen, 'modelID'),
  };
}

/** Seals stand under the name of the API that gave them. */
export const seal = (part: JsonObject, api: string): JsonObject => objectAt(objectAt(part, 'metadata'), api) ?? {};
