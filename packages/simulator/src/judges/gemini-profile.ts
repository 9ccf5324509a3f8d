/** What differs between Gemini models. */
export interface GeminiProfile {
  /** The first call of each step of the current turn must carry its signature. */
  readonly signatures: boolean;
  /** A response repeats the id of its call. */
  readonly ids: boolean;
}

const NAMED = /^gemini-(\d{1,2})(?:\.\d{1,2})?(?=$|[-@:])/;
const FIRST_SIGNED = 3;

/** A name without a generation, such as an alias or another vendor's, is read as the newest where `strict` holds. */
export function geminiProfile(model: string | undefined, strict: boolean): GeminiProfile {
  const name = model === undefined ? '' : model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const generation = NAMED.exec(name)?.[1];
  const signed = generation === undefined ? strict : Number(generation) >= FIRST_SIGNED;
  return {
    signatures: signed && !name.startsWith('gemini-3-pro-image'),
    // That a response must repeat the id is documented but no refusal is on record, so lenience drops it.
    ids: signed && strict,
  };
}
