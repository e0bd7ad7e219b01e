// The official TypeScript SDK, first generation: the handshake era only, and the strictest validator of all.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { play } from './play.mjs';

await play(async (server, _era, open) => {
  const capabilities = open ? { elicitation: { url: {} } } : {};
  const client = new Client({ name: 'interop-ts-v1', version: '1.0.0' }, { capabilities });
  if (open) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      open(params.url);
      return { action: 'accept' };
    });
  }
  await client.connect(server.url ? new StreamableHTTPClientTransport(server.url, server) : new StdioClientTransport(server));
  return {
    era: 'legacy',
    tools: async () => (await client.listTools()).tools,
    call: (name, args, signal) => client.callTool({ name, arguments: args }, undefined, { signal }),
    validate: (schema, value) => new AjvJsonSchemaValidator().getValidator(schema)(value).errorMessage,
    close: () => client.close(),
  };
});
