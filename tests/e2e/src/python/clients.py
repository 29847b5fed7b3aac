"""
Calls the API with the Python clients, unmodified but for the base URL and the key. Exits at the first failed assertion.
Its only argument is JSON: origin, keys and models; the provider's answers depend on the words of the question.
"""

import asyncio
import json
import sys
from contextlib import contextmanager
from unittest.mock import patch

import anthropic
import openai
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

told = json.loads(sys.argv[1])
base_url = told["origin"] + "/api/v1"
client = openai.OpenAI(base_url=base_url, api_key=told["apiKey"])
other = anthropic.Anthropic(base_url=told["origin"] + "/api", api_key=told["apiKey"])

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = {"type": "function", "function": {"name": "weather", "description": "The weather of a city", "parameters": CITY}}
CITIES = [{"city": "Köln"}, {"city": "Bonn"}]


class Fact(BaseModel):
    name: str
    people: int


def asked(question):
    return [{"role": "user", "content": question}]


def equal(found, wanted):
    assert found == wanted, f"{found!r} is not {wanted!r}"


@contextmanager
def refused(kind, **wanted):
    """Expects a refusal that the client does not retry."""
    with patch("time.sleep") as slept:
        try:
            yield
        except kind as error:
            equal({name: getattr(error, name) for name in wanted}, wanted)
            assert error.request_id, "a refusal names its request"
            equal(slept.call_args_list, [])
        else:
            raise AssertionError(f"{kind.__name__} was not raised")


def chat_completions(model):
    whole = client.chat.completions.create(model=model, messages=asked("Hello"))
    equal(whole.choices[0].message.content, "You said: Hello")
    equal(whole.choices[0].finish_reason, "stop")
    pieces, usage = [], None
    for chunk in client.chat.completions.create(
        model=model, messages=asked("Grüße"), stream=True, stream_options={"include_usage": True}
    ):
        pieces += [choice.delta.content or "" for choice in chunk.choices]
        usage = chunk.usage or usage
    equal("".join(pieces), "You said: Grüße")
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens > 0
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + DOT}}
    seen = client.chat.completions.create(model=model, messages=asked([{"type": "text", "text": "A dot?"}, image]))
    equal(seen.choices[0].message.content, "You said: A dot?")
    fact = client.chat.completions.parse(model=model, messages=asked("A fact"), response_format=Fact)
    equal(fact.choices[0].message.parsed, Fact(name="Köln", people=1_084_000))

    async def by_the_asynchronous_client():
        async with openai.AsyncOpenAI(base_url=base_url, api_key=told["apiKey"]) as program:
            questions = [program.chat.completions.create(model=model, messages=asked(text)) for text in ("One", "Two")]
            return [answer.choices[0].message.content for answer in await asyncio.gather(*questions)]

    equal(asyncio.run(by_the_asynchronous_client()), ["You said: One", "You said: Two"])


def tools(model):
    question = asked("Weather?")
    whole = client.chat.completions.create(model=model, messages=question, tools=[TOOL], parallel_tool_calls=True)
    with client.chat.completions.stream(model=model, messages=question, tools=[TOOL]) as stream:
        streamed = stream.get_final_completion()
    for completion in (whole, streamed):
        equal(completion.choices[0].finish_reason, "tool_calls")
        message = completion.choices[0].message
        equal([json.loads(call.function.arguments) for call in message.tool_calls], CITIES)
    results = [{"role": "tool", "tool_call_id": call.id, "content": "rain"} for call in message.tool_calls]
    after = client.chat.completions.create(model=model, messages=[*question, message, *results], tools=[TOOL])
    equal(after.choices[0].message.content, "It rains in both")


def responses(model):
    equal(client.responses.create(model=model, input="Hello", instructions="Be brief").output_text, "You said: Hello")
    with client.responses.stream(model=model, input=asked("Hello")) as stream:
        final = stream.get_final_response()
    equal([final.status, final.output_text], ["completed", "You said: Hello"])
    fact = client.responses.parse(model=model, input="A fact", text_format=Fact)
    equal(fact.output_parsed, Fact(name="Köln", people=1_084_000))
    tool = {"type": "function", **TOOL["function"], "strict": False}
    called = client.responses.create(model=model, input="Weather?", tools=[tool])
    calls = [item for item in called.output if item.type == "function_call"]
    equal([json.loads(call.arguments) for call in calls], CITIES)
    results = [{"type": "function_call_output", "call_id": call.call_id, "output": "rain"} for call in calls]
    after = client.responses.create(model=model, tools=[tool], input=[*asked("Weather?"), *called.output, *results])
    equal(after.output_text, "It rains in both")


def messages(model):
    asks = {"model": model, "max_tokens": 100, "messages": asked("Hello")}
    equal(other.messages.create(**asks).content[0].text, "You said: Hello")
    with other.messages.stream(**asks, system="Be brief") as stream:
        equal("".join(stream.text_stream), "You said: Hello")
    tool = {"name": "weather", "description": "The weather of a city", "input_schema": CITY}
    asks = {**asks, "messages": asked("Weather?"), "tools": [tool]}
    called = other.messages.create(**asks)
    calls = [block for block in called.content if block.type == "tool_use"]
    equal([called.stop_reason, *[call.input for call in calls]], ["tool_use", *CITIES])
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": "rain"} for call in calls]
    asks["messages"] += [{"role": "assistant", "content": called.content}, {"role": "user", "content": results}]
    equal(other.messages.create(**asks).content[0].text, "It rains in both")


def chains(model):
    # With another base URL the client requests usage figures only when told to.
    chat = ChatOpenAI(model=model, base_url=base_url, api_key=told["apiKey"], stream_usage=True)
    equal(chat.invoke("Hello").text, "You said: Hello")
    pieces = list(chat.stream("Hello"))
    equal("".join(piece.text for piece in pieces), "You said: Hello")
    assert sum(piece.usage_metadata["output_tokens"] for piece in pieces if piece.usage_metadata) > 0
    question = HumanMessage("Weather?")
    tooled = chat.bind_tools([TOOL])
    called = tooled.invoke([question])
    equal([call["args"] for call in called.tool_calls], CITIES)
    results = [ToolMessage("rain", tool_call_id=call["id"]) for call in called.tool_calls]
    equal(tooled.invoke([question, called, *results]).text, "It rains in both")
    equal(chat.with_structured_output(Fact).invoke("A fact"), Fact(name="Köln", people=1_084_000))
    by_responses = ChatOpenAI(model=model, base_url=base_url, api_key=told["apiKey"], use_responses_api=True)
    equal(by_responses.invoke("Hello").text, "You said: Hello")


def what_is_made():
    texts = ["a boat", "a ship"]
    packed = client.embeddings.create(model=told["embedder"], input=texts)
    plain = client.embeddings.create(model=told["embedder"], input=texts, encoding_format="float")
    equal([item.index for item in packed.data], [0, 1])
    for one, same in zip(packed.data, plain.data):
        assert max(abs(a - b) for a, b in zip(one.embedding, same.embedding)) < 1e-6
    # By default it downloads the tokenizer of OpenAI's models.
    by_chain = OpenAIEmbeddings(
        model=told["embedder"], base_url=base_url, api_key=told["apiKey"], check_embedding_ctx_length=False
    )
    equal(len(by_chain.embed_documents(texts)), 2)
    made = client.images.generate(model=told["painter"], prompt="A dot", response_format="b64_json")
    assert made.data[0].b64_json.startswith("iVBOR")


def models():
    ids = [model.id for model in client.models.list()]
    assert set(told["models"]) <= set(ids)
    equal(client.models.retrieve(ids[0]).id, ids[0])
    assert set(told["models"]) <= {model.id for model in other.models.list(limit=1000)}
    equal(other.models.retrieve(told["models"][0]).id, told["models"][0])


def refusals(model):
    def chat(program=client, **body):
        return program.chat.completions.create(**{"model": model, "messages": asked("Hello"), **body})

    def message(program=other, **body):
        return program.messages.create(**{"model": model, "max_tokens": 9, "messages": asked("Hello"), **body})

    wrong = {"api_key": told["apiKey"][:-1] + "!"}
    with refused(openai.AuthenticationError, status_code=401, code="invalid_api_key"):
        chat(client.with_options(**wrong))
    with refused(anthropic.AuthenticationError, status_code=401, type="authentication_error"):
        message(other.with_options(**wrong))
    with refused(openai.NotFoundError, status_code=404, code="model_not_found", param="model"):
        chat(model="nothing")
    with refused(openai.NotFoundError, status_code=404):
        client.models.retrieve("nothing")
    with refused(anthropic.NotFoundError, status_code=404, type="not_found_error"):
        other.models.retrieve("nothing")
    with refused(anthropic.NotFoundError, status_code=404, type="not_found_error"):
        message(model="nothing")
    with refused(openai.BadRequestError, status_code=400, param="n", type="invalid_request_error"):
        chat(n=2)
    with refused(openai.BadRequestError, status_code=400, param="temperature"):
        chat(temperature="warm")
    with refused(openai.BadRequestError, status_code=400, param="previous_response_id"):
        client.responses.create(model=model, input="Hello", previous_response_id="resp_1")
    with refused(anthropic.BadRequestError, status_code=400, type="invalid_request_error"):
        message(extra_body={"temperature": "warm"})
    with refused(openai.APIStatusError, status_code=402, code="insufficient_quota"):
        chat(model=told["dear"])
    with refused(anthropic.APIStatusError, status_code=402, type="billing_error"):
        message(model=told["dear"])
    try:
        for _ in chat(messages=asked("Break off"), stream=True):
            pass
    except openai.APIError as error:
        assert "provider" in error.message, error.message
    else:
        raise AssertionError("an answer that breaks off is no whole one")


def limits():
    """This model allows one request per minute: the client honours Retry-After and retries."""
    asks = {"model": told["scarce"], "messages": asked("Hello")}
    client.chat.completions.create(**asks)
    with patch("time.sleep") as slept:
        try:
            client.chat.completions.create(**asks)
        except openai.RateLimitError as error:
            equal([error.status_code, error.code], [429, "rate_limit_exceeded"])
            last = int(error.response.headers["retry-after"])
        else:
            raise AssertionError("RateLimitError was not raised")
    waits = [call.args[0] for call in slept.call_args_list]
    equal(len(waits), client.max_retries)
    assert all(last - 1 <= wait <= 60 for wait in waits), f"{waits} are not the {last} s that it was told"


def once(model):
    def ask(question, **more):
        program = client.with_options(default_headers={"Idempotency-Key": f"order-of-{model}"})
        return program.chat.completions.create(model=model, messages=asked(question), **more)

    equal(ask("Once").id, ask("Once").id)
    with refused(openai.ConflictError, status_code=409):
        ask("Something else")


def leaving(model):
    stream = client.chat.completions.create(model=model, messages=asked("Go on"), stream=True)
    next(chunk for chunk in stream if chunk.choices and chunk.choices[0].delta.content)
    stream.close()
    with other.messages.stream(model=model, max_tokens=100, messages=asked("Go on")) as answer:
        next(iter(answer.text_stream))


for each in told["models"]:
    for try_out in (chat_completions, tools, responses, messages, chains, refusals, once, leaving):
        try_out(each)
what_is_made()
models()
limits()
