// The official TypeScript SDK, second generation: both eras.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { play } from './play.mjs';

await play(async (server, era, open) => {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
  const capabilities = open ? { elicitation: { url: {} } } : {};
  const client = new Client({ name: 'interop-ts-v2', version: '1.0.0' }, { versionNegotiation: { mode }, capabilities });
  if (open) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      open(params.url);
      return { action: 'accept' };
    });
  }
  await client.connect(server.url ? new StreamableHTTPClientTransport(server.url, server) : new StdioClientTransport(server));
  return {
    era: client.getProtocolEra(),
    tools: async () => (await client.listTools()).tools,
    call: (name, args, signal) => client.callTool({ name, arguments: args }, { signal }),
    validate: (schema, value) => new AjvJsonSchemaValidator().getValidator(schema)(value).errorMessage,
    close: () => client.close(),
  };
});
