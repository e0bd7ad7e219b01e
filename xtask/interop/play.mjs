// Plays a plan, read from stdin, with a client that the caller connects, and prints one JSON line per check.
//
// The plan: {server: {command, env}, era, runs: [{name, env, upstream, control, person, cancel, calls}]}. Each run
// starts one server.
// upstream: "silent" accepts and never answers, {status, headers, body} answers everything so; its address replaces
// {upstream} in env, where {NAME} is a variable of the server's own. cancel: {tool, arguments} is called, cancelled once it waits for the silent upstream, called again
// and left waiting when stdin closes. calls: [{tool, arguments, expect, picture}], expect is "ok" or a failure's code;
// "{field}" as an argument is that field of the answer before; picture says that one comes along. control: [{url, body}]
// is posted to the fake first, and {url, body} among the calls in its turn, whose answer adds its fields to those of the
// answer before; {NAME} in url is a variable of env. person: {field: value} opens each page that the
// server offers by elicitation, types these values into its form and sends it. http: the bearer token under which the
// server is spoken to over HTTP instead; state: a name that runs with one state folder share.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const EXIT_MS = 2000;

// connect(server, era, open) gives {era, tools(), call(tool, arguments, signal), validate(schema, value), close()}; validate
// answers with what is wrong, or nothing.
export async function play(connect) {
  const plan = await json(process.stdin);
  for (const run of plan.runs) {
    const upstream = run.upstream && (await listen(run.upstream));
    const env = { ...plan.server.env, ...run.env };
    const known = { ...plan.server.env, upstream: upstream?.url };
    for (const name in env) env[name] = env[name].replace(/\{(\w+)\}/, (_, of) => known[of]);
    for (const step of run.control ?? []) await check(`${run.name}: control`, () => control(step, env));
    await check(`${run.name}: connect and run`, () => playRun(connect, { ...plan.server, env }, plan.era, run, upstream));
    upstream?.stop();
  }
  process.exit(); // a server that a failed check left behind would keep this process alive
}

async function playRun(connect, child, era, run, upstream) {
  const pages = [];
  const server = run.http ? await serve(child, run.http) : child;
  const client = await connect(server, era, run.person && ((url) => pages.push(visit(url, run.person))));
  await check(`${run.name}: era`, () => expect(client.era, era));
  const tools = new Map((await client.tools()).map((tool) => [tool.name, tool]));
  if (run.cancel) await check(`${run.name}: cancel`, () => cancel(client, run.cancel, upstream));
  let last = {};
  for (const call of run.calls ?? []) {
    if (call.url) {
      await check(`${run.name}: control`, async () => {
        last = { ...last, ...(await control(call, child.env)) };
      });
      continue;
    }
    const name = `${run.name}: ${call.tool} ${JSON.stringify(call.arguments)} gives ${call.expect}`;
    await check(name, async () => {
      const tool = tools.get(call.tool);
      if (!tool) throw new Error('the tool is not listed');
      last = verify(client, tool, call, await client.call(call.tool, filled(call.arguments, last)));
    });
  }
  if (run.person) {
    await check(`${run.name}: pages`, async () => {
      if (pages.length === 0) throw new Error('no page was offered');
      for (const page of pages) await page;
    });
  }
  if (run.cancel) await waiting(client, run.cancel, upstream);
  if (run.http) {
    await client.close();
    await check(`${run.name}: SIGTERM`, () => ends(server.process));
    return;
  }
  await check(`${run.name}: end of stdin${run.cancel ? ' while a call waits' : ''}`, async () => {
    const begun = performance.now();
    await client.close();
    const taken = performance.now() - begun;
    // The SDK sends a signal after two seconds: an end before that is the server's own doing.
    if (taken >= EXIT_MS) throw new Error(`the server outlived its stdin by ${Math.round(taken)} ms`);
  });
}

async function control({ url, body }, env) {
  const address = url.replace(/\{(\w+)\}/, (_, name) => env[name]);
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
  const said = await answer.text();
  expect(answer.status, 200, said);
  return JSON.parse(said);
}

// Starts the server on a free port of loopback and gives where it is, once it has said so.
async function serve({ command, env }, token) {
  const stdio = ['ignore', 'ignore', 'pipe'];
  const process = spawn(command, ['serve', '--http', '127.0.0.1:0'], { env, stdio });
  const said = createInterface(process.stderr);
  for await (const [line] of onLines(said)) {
    const url = line.match(/http:\/\/\S+\/mcp/)?.[0];
    if (url) return { process, url: new URL(url), requestInit: { headers: { Authorization: `Bearer ${token}` } } };
  }
  throw new Error('the server did not say where it listens');
}

// The lines one by one; reading goes on when nobody listens any more.
async function* onLines(lines) {
  for (;;) yield await once(lines, 'line');
}

async function ends(process) {
  const begun = performance.now();
  process.kill('SIGTERM');
  await once(process, 'exit');
  const taken = performance.now() - begun;
  if (taken >= EXIT_MS) throw new Error(`the server outlived its signal by ${Math.round(taken)} ms`);
}

// What every answer must hold: flag, code, text and structure that agree, and the declared schema. A tool that may
// answer with a picture declares none, and answers without structure when it does. Gives the structure.
function verify(client, tool, call, result) {
  const said = JSON.parse(result.content[0].text);
  const pictures = result.content.filter((block) => block.type === 'image').length;
  const structure = pictures ? said : result.structuredContent;
  if (!structure) throw new Error(`no structure: ${JSON.stringify(result)}`);
  expect(structure.ok ? 'ok' : structure.code, call.expect, structure);
  expect(result.isError ?? false, !structure.ok && structure.code !== 'NEED_CHALLENGE', structure);
  expect(pictures, call.picture ? 1 : 0, structure);
  if (!isDeepStrictEqual(said, structure)) throw new Error('text and structure differ');
  if (pictures && tool.outputSchema) throw new Error('a picture beside an output schema is not shown');
  const problem = tool.outputSchema && client.validate(tool.outputSchema, structure);
  if (problem) throw new Error(`against its schema: ${problem}`);
  return structure;
}

// The arguments with "{field}" replaced by that field of the answer before.
function filled(given, last) {
  const field = (value) => (typeof value === 'string' && /^\{\w+\}$/.test(value) ? last[value.slice(1, -1)] : value);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, field(value)]));
}

// What a person does at a page: reads it, types, sends, and reads where that leads.
async function visit(url, typed) {
  const page = await (await fetch(url)).text();
  const named = Object.entries(typed).filter(([name]) => page.includes(`name="${name}"`));
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(named) });
  if (!answer.ok) throw new Error(`the page answered ${answer.status}`);
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
