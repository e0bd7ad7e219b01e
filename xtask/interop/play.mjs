// Plays a plan, read from stdin, with a client that the caller connects, and prints one JSON line per check.
//
// The plan: {server: {command, env}, era, runs: [{name, env, upstream, cancel, calls}]}. Each run starts one server.
// upstream: "silent" accepts and never answers, {status, headers, body} answers everything so; its address replaces
// {upstream} in env. cancel: {tool, arguments} is called, cancelled once it waits for the silent upstream, called again
// and left waiting when stdin closes. calls: [{tool, arguments, expect}], expect is "ok" or a failure's code.
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const EXIT_MS = 2000;

// connect(server, era) gives {era, tools(), call(tool, arguments, signal), validate(schema, value), close()}; validate
// answers with what is wrong, or nothing.
export async function play(connect) {
  const plan = await json(process.stdin);
  for (const run of plan.runs) {
    const upstream = run.upstream && (await listen(run.upstream));
    const env = { ...plan.server.env, ...run.env };
    for (const name in env) env[name] = env[name].replace('{upstream}', upstream?.url);
    await check(`${run.name}: connect and run`, () => playRun(connect, { ...plan.server, env }, plan.era, run, upstream));
    upstream?.stop();
  }
  process.exit(); // a server that a failed check left behind would keep this process alive
}

async function playRun(connect, server, era, run, upstream) {
  const client = await connect(server, era);
  await check(`${run.name}: era`, () => expect(client.era, era));
  const tools = new Map((await client.tools()).map((tool) => [tool.name, tool]));
  if (run.cancel) await check(`${run.name}: cancel`, () => cancel(client, run.cancel, upstream));
  for (const call of run.calls ?? []) {
    const name = `${run.name}: ${call.tool} ${JSON.stringify(call.arguments)} gives ${call.expect}`;
    await check(name, async () => {
      const tool = tools.get(call.tool);
      if (!tool) throw new Error('the tool is not listed');
      verify(client, tool, call.expect, await client.call(call.tool, call.arguments));
    });
  }
  if (run.cancel) await waiting(client, run.cancel, upstream);
  await check(`${run.name}: end of stdin${run.cancel ? ' while a call waits' : ''}`, async () => {
    const begun = performance.now();
    await client.close();
    const taken = performance.now() - begun;
    // The SDK sends a signal after two seconds: an end before that is the server's own doing.
    if (taken >= EXIT_MS) throw new Error(`the server outlived its stdin by ${Math.round(taken)} ms`);
  });
}

// What every answer must hold: flag, code, text and structure that agree, and the declared schema.
function verify(client, tool, expected, result) {
  const structure = result.structuredContent;
  if (!structure) throw new Error(`no structure: ${JSON.stringify(result)}`);
  expect(structure.ok ? 'ok' : structure.code, expected, structure);
  expect(result.isError ?? false, !structure.ok, structure);
  if (!isDeepStrictEqual(JSON.parse(result.content[0].text), structure)) throw new Error('text and structure differ');
  if (!tool.outputSchema) throw new Error('no output schema is declared');
  const problem = client.validate(tool.outputSchema, structure);
  if (problem) throw new Error(`against its schema: ${problem}`);
}

async function cancel(client, call, upstream) {
  const stop = new AbortController();
  const { answer } = await waiting(client, call, upstream, stop.signal);
  stop.abort();
  const ended = await answer;
  if (ended.result) throw new Error(`a cancelled call was answered: ${JSON.stringify(ended.result)}`);
  await until(() => upstream.open === 0, 'the end of the upstream request');
}

// Calls, and comes back once the request has reached the silent upstream; `answer` then tells how the call ends.
async function waiting(client, call, upstream, signal) {
  const called = client.call(call.tool, call.arguments, signal);
  const answer = called.then((result) => ({ result }), (error) => ({ error }));
  await until(() => upstream.open > 0, 'a request to the upstream');
  return { answer };
}

// A stand-in upstream on loopback; `open` counts the connections over which something was asked and that still stand.
async function listen(kind) {
  const upstream = { open: 0 };
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      upstream.open += 1;
      socket.once('close', () => { upstream.open -= 1; });
      if (kind !== 'silent') socket.end(answer(kind));
    });
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  upstream.url = `http://127.0.0.1:${server.address().port}`;
  upstream.stop = () => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  };
  return upstream;
}

function answer({ status, headers = {}, body = '' }) {
  const all = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Canned\r\n${lines.join('')}\r\n${body}`;
}

async function until(condition, what) {
  for (let waited = 0; !condition(); waited += 10) {
    if (waited > 10_000) throw new Error(`${what} did not come`);
    await setTimeout(10);
  }
}

function expect(found, wanted, context) {
  if (found !== wanted) throw new Error(`${found} instead of ${wanted}${context ? `: ${JSON.stringify(context)}` : ''}`);
}

async function check(name, body) {
  let problem = null;
  try {
    await body();
  } catch (error) {
    problem = String(error?.message ?? error);
  }
  console.log(JSON.stringify({ check: name, problem }));
}
