"""Plays a plan, read from stdin, with a client that the caller connects; the plan is described in play.mjs."""

import json
import re
import sys
import time
from contextlib import asynccontextmanager
from urllib.parse import urlencode
from urllib.request import urlopen

import anyio
import jsonschema

EXIT_SECONDS = 2.0


def play(connect):
    """`connect(command, env, era, open)` is an async context manager that gives a client with `era`, `tools()`,
    `call(tool, arguments)` -> (is_error, structure, content) and `cancel()`, which tells the server to drop the last
    call. `open`, if any, is awaited with the address of each page that the server offers."""
    anyio.run(play_all, connect, json.load(sys.stdin))


async def play_all(connect, plan):
    for run in plan["runs"]:
        if run.get("http"):
            continue  # the clients in TypeScript play these
        async with listen(run.get("upstream")) as upstream:
            env = {**plan["server"]["env"], **run.get("env", {})}
            known = {**plan["server"]["env"], "upstream": upstream.url}
            env = {name: re.sub(r"\{(\w+)\}", lambda of: known[of[1]], value) for name, value in env.items()}
            for one in run.get("control", []):
                await check(f"{run['name']}: control", control, one, env)
            pages = []
            person = run.get("person")
            session = connect(plan["server"]["command"], env, plan["era"], visitor(person, pages) if person else None)
            await check(f"{run['name']}: connect and run", play_run, session, plan["era"], run, env, upstream)
            if person:
                await check(f"{run['name']}: pages", expect, bool(pages), True, "no page was offered")


async def play_run(session, era, run, env, upstream):
    call = run.get("cancel")
    async with anyio.create_task_group() as pending:
        async with session as client:
            await check(f"{run['name']}: era", expect, client.era, era)
            schemas = await client.tools()
            if call:
                await check(f"{run['name']}: cancel", cancel, client, call, upstream)
            last = {}
            for one in run.get("calls", []):
                if "url" in one:
                    await check(f"{run['name']}: control", told, one, env, last)
                    continue
                arguments = json.dumps(one["arguments"], ensure_ascii=False, separators=(",", ":"))
                name = f"{run['name']}: {one['tool']} {arguments} gives {one['expect']}"
                await check(name, verify, client, schemas, one, last)
            if call:
                pending.start_soon(ended, client, call, [])
                await until(lambda: upstream.open > 0, "a request to the upstream")
            begun = time.monotonic()
        taken = time.monotonic() - begun
        pending.cancel_scope.cancel()
    # The SDK sends a signal after two seconds: an end before that is the server's own doing.
    name = f"{run['name']}: end of stdin{' while a call waits' if call else ''}"
    await check(name, expect, taken < EXIT_SECONDS, True, f"the server outlived its stdin by {taken:.1f} s")


async def verify(client, schemas, call, last):
    """What every answer must hold: flag, code, text and structure that agree, and the declared schema. A tool that may
    answer with a picture declares none, and answers without structure when it does. `last` becomes the structure."""
    schema = schemas[call["tool"]]
    given = {name: filled(value, last) for name, value in call["arguments"].items()}
    is_error, structure, content = await client.call(call["tool"], given)
    said = json.loads(content[0].text)
    pictures = sum(block.type == "image" for block in content)
    structure = said if pictures else structure
    assert structure, f"no structure: {said}"
    await expect("ok" if structure["ok"] else structure["code"], call["expect"], structure)
    await expect(is_error, not structure["ok"] and structure["code"] != "NEED_CHALLENGE", structure)
    await expect(pictures, 1 if call.get("picture") else 0, structure)
    await expect(said, structure)
    assert not (pictures and schema), "a picture beside an output schema is not shown"
    if schema:
        jsonschema.validate(structure, schema)
    last.clear()
    last.update(structure)


def filled(value, last):
    """An argument; "{field}" is that field of the answer before."""
    field = isinstance(value, str) and re.fullmatch(r"\{(\w+)\}", value)
    return last[field[1]] if field else value


def visitor(typed, pages):
    """What a person does at a page: reads it, types, sends, and reads where that leads."""

    async def visit(url):
        pages.append(url)
        page = (await anyio.to_thread.run_sync(lambda: urlopen(url).read())).decode()
        named = {name: value for name, value in typed.items() if f'name="{name}"' in page}
        await post(url, urlencode(named).encode())

    return visit


async def told(step, env, last):
    """The same, and the fields of its answer join those of the answer before."""
    last.update(json.loads(await control(step, env)))


async def control(step, env):
    url = re.sub(r"\{(\w+)\}", lambda name: env[name[1]], step["url"])
    return await post(url, json.dumps(step["body"]).encode())


async def post(url, body):
    answer = await anyio.to_thread.run_sync(lambda: urlopen(url, data=body))
    assert answer.status == 200, f"{url} answered {answer.status}"
    return await anyio.to_thread.run_sync(answer.read)


async def cancel(client, call, upstream):
    answers = []
    async with anyio.create_task_group() as group:
        group.start_soon(ended, client, call, answers)
        await until(lambda: upstream.open > 0, "a request to the upstream")
        await client.cancel()
        group.cancel_scope.cancel()
    assert not answers, f"a cancelled call was answered: {answers}"
    await until(lambda: upstream.open == 0, "the end of the upstream request")


async def ended(client, call, answers):
    """Calls and keeps an answer; a call that is given up or cut off ends in an error of the SDK's own."""
    try:
        answers.append(await client.call(call["tool"], call["arguments"]))
    except Exception:
        pass


class Upstream:
    """A stand-in on loopback; `open` counts the connections over which something was asked and that still stand."""

    def __init__(self, kind, url):
        self.kind, self.url, self.open = kind, url, 0

    async def answer(self, connection):
        async with connection:
            await connection.receive()
            self.open += 1
            try:
                if self.kind == "silent":
                    while True:
                        await connection.receive()
                await connection.send(canned(**self.kind))
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                pass
            finally:
                self.open -= 1


def canned(status, headers={}, body=""):
    headers = {**headers, "Content-Length": len(body.encode()), "Connection": "close"}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Canned\r\n{lines}\r\n{body}".encode()


@asynccontextmanager
async def listen(kind):
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(anyio.abc.SocketAttribute.local_port)
    upstream = Upstream(kind, f"http://127.0.0.1:{port}")
    async with anyio.create_task_group() as group:
        group.start_soon(listener.serve, upstream.answer)
        yield upstream
        group.cancel_scope.cancel()


async def until(condition, what):
    with anyio.move_on_after(10):
        while not condition():
            await anyio.sleep(0.01)
        return
    raise AssertionError(f"{what} did not come")


async def expect(found, wanted, context=""):
    assert found == wanted, f"{found} instead of {wanted}: {context}"


async def check(name, body, *arguments):
    problem = None
    try:
        await body(*arguments)
    except Exception as error:
        while getattr(error, "exceptions", None):  # a task group wraps what went wrong in it
            error = error.exceptions[0]
        problem = f"{type(error).__name__}: {error}"
    print(json.dumps({"check": name, "problem": problem}, ensure_ascii=False), flush=True)
