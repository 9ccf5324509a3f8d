import type { ApiName } from '../apis/api.ts';
import { readProgress, readThinking, readTools, type Progress, type ToolSpec } from '../apis/reading.ts';
import type { JsonObject } from '../judges/docket.ts';
import type { Failure, Reply } from './reply.ts';

/** Answers accepted requests; it sees the body as the client sent it. */
export type Model = (request: ModelRequest) => Reply | Failure | Promise<Reply | Failure>;

interface Asked {
  readonly n: number;
  readonly api: ApiName;
  readonly model: string;
  readonly streaming: boolean;
  readonly body: JsonObject;
}

/** One accepted request; what needs a walk over the body is read only when it is asked for. */
export class ModelRequest {
  /** Number of the request, counted from 1 over everything the simulator received. */
  readonly n: number;
  readonly api: ApiName;
  readonly model: string;
  readonly streaming: boolean;
  readonly body: JsonObject;
  #tools: readonly ToolSpec[] | undefined;
  #progress: Progress | undefined;

  constructor(asked: Asked) {
    this.n = asked.n;
    this.api = asked.api;
    this.model = asked.model;
    this.streaming = asked.streaming;
    this.body = asked.body;
  }

  /** The client's own tools as they were declared. */
  get tools(): readonly ToolSpec[] {
    this.#tools ??= readTools(this.api, this.body);
    return this.#tools;
  }

  /** How often the user has spoken. */
  get turn(): number {
    return this.#read().turn;
  }

  /** How many steps the model has taken since the user last spoke. */
  get step(): number {
    return this.#read().step;
  }

  /** Whether the request asks for reasoning that is sent along. */
  get thinks(): boolean {
    return readThinking(this.api, this.body);
  }

  #read(): Progress {
    this.#progress ??= readProgress(this.api, this.body);
    return this.#progress;
  }
}
