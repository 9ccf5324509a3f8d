import * as z from 'zod';

import { operations, type Operation } from './operations.ts';

type Json = { readonly [name: string]: unknown };

const errorSchema: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
    },
  },
};

const idParameter: Json = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return schema;
}

const jsonOf = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

function parametersOf({ path, query }: Operation): Json[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: { [name: string]: Json };
    required?: readonly string[];
  };
  const named = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  return [...(path.includes('{id}') ? [idParameter] : []), ...named];
}

function describe(operation: Operation): Json {
  const { name, summary, scope, body, answer } = operation;
  return {
    operationId: name,
    summary,
    description: `Needs the scope \`${scope}\`.`,
    parameters: parametersOf(operation),
    ...(body !== undefined && { requestBody: { required: true, ...jsonOf(schemaOf(body, 'input')) } }),
    responses: {
      200: { description: 'Done.', ...jsonOf(schemaOf(answer, 'output')) },
      default: { description: 'Not done.', ...jsonOf({ $ref: '#/components/schemas/Error' }) },
    },
  };
}

const follow: Json = {
  operationId: 'followSession',
  summary: 'Follow the records of a session as server-sent events, and go on after `Last-Event-ID`.',
  description: 'Needs the scope `read`.',
  parameters: [idParameter, { name: 'after', in: 'query', required: false, schema: { type: 'integer', minimum: 0 } }],
  responses: {
    200: {
      description: 'One event for each record.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    default: { description: 'Not done.', ...jsonOf({ $ref: '#/components/schemas/Error' }) },
  },
};

/** The OpenAPI document of the service, made from the operations that it runs. */
export function openApiDocument(version: string): Json {
  const paths: { [path: string]: { [method: string]: Json } } = { '/v1/sessions/{id}/follow': { get: follow } };
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'rethread', version, license: { name: 'MIT', identifier: 'MIT' } },
    security: [{ token: [] }, {}],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, schemas: { Error: errorSchema } },
  };
}
