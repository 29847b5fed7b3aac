import { curl, type Example, openaiNode, openaiPython } from './example.ts'

export const embeddings: Example = (values) => ({
  curl: curl(values, '/embeddings', { model: values.embeddingModel, input: ['a boat', 'a ship'] }),
  python: `${openaiPython(values)}
made = client.embeddings.create(
    model="${values.embeddingModel}",
    input=["a boat", "a ship"],
)
for item in made.data:
    print(item.index, len(item.embedding), "dimensions")
`,
  node: `${openaiNode(values)}
const made = await client.embeddings.create({
  model: '${values.embeddingModel}',
  input: ['a boat', 'a ship'],
})
for (const item of made.data) {
  console.log(item.index, item.embedding.length, 'dimensions')
}
`,
})

/** An image, saved as a file. */
export const images: Example = (values) => ({
  curl: curl(values, '/images/generations', { model: values.imageModel, prompt: 'A lighthouse at dusk' }),
  python: `import base64
${openaiPython(values)}
made = client.images.generate(
    model="${values.imageModel}",
    prompt="A lighthouse at dusk",
    response_format="b64_json",
)
with open("lighthouse.png", "wb") as file:
    file.write(base64.b64decode(made.data[0].b64_json))
print("saved lighthouse.png")
`,
  node: `import { writeFile } from 'node:fs/promises'
${openaiNode(values)}
const made = await client.images.generate({
  model: '${values.imageModel}',
  prompt: 'A lighthouse at dusk',
  response_format: 'b64_json',
})
await writeFile('lighthouse.png', Buffer.from(made.data[0].b64_json, 'base64'))
console.log('saved lighthouse.png')
`,
})

export const models: Example = (values) => ({
  curl: curl(values, '/models'),
  python: `${openaiPython(values)}
for model in client.models.list():
    print(model.id, model.owned_by)
`,
  node: `${openaiNode(values)}
for await (const model of client.models.list()) {
  console.log(model.id, model.owned_by)
}
`,
})

/** The key's usage, and the rest of its limit. */
export const usage: Example = (values) => ({
  curl: curl(values, '/usage'),
  python: `import json, urllib.request

request = urllib.request.Request(
    "${values.origin}/api/v1/usage",
    headers={"Authorization": "Bearer ${values.apiKey}"},
)
with urllib.request.urlopen(request) as answer:
    usage = json.load(answer)
print(usage["usage"]["monthly"]["requests"], "requests this month")
print(usage["limits"]["remaining"], "left of", usage["limits"]["requests"])
`,
  node: `const answer = await fetch('${values.origin}/api/v1/usage', {
  headers: { Authorization: 'Bearer ${values.apiKey}' },
})
const { usage, limits } = await answer.json()
console.log(usage.monthly.requests, 'requests this month')
console.log(limits.remaining, 'left of', limits.requests)
`,
})

const hello = [{ role: 'user', content: 'Hello' }]

/** An answer's cost, and its receipt. */
export const credits: Example = (values) => ({
  curl: curl(values, '/chat/completions', { model: values.textModel, messages: hello }, ['--include']),
  python: `${openaiPython(values)}
answer = client.chat.completions.with_raw_response.create(
    model="${values.textModel}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.headers["x-credits-charged"], "credits charged")
print(answer.headers["x-credits-remaining"], "credits left")
print("receipt", answer.headers["x-generation-id"])
`,
  node: `${openaiNode(values)}
const { response } = await client.chat.completions.create({
  model: '${values.textModel}',
  messages: [{ role: 'user', content: 'Hello' }],
}).withResponse()
console.log(response.headers.get('x-credits-charged'), 'credits charged')
console.log(response.headers.get('x-credits-remaining'), 'credits left')
console.log('receipt', response.headers.get('x-generation-id'))
`,
})

export const limits: Example = (values) => ({
  curl: curl(values, '/models', undefined, ['--include']),
  python: `${openaiPython(values)}
answer = client.models.with_raw_response.list()
print(answer.headers["x-ratelimit-remaining-requests"], "requests left")
print("whole again in", answer.headers["x-ratelimit-reset-requests"])
`,
  node: `${openaiNode(values)}
const { response } = await client.models.list().withResponse()
console.log(response.headers.get('x-ratelimit-remaining-requests'), 'requests left')
console.log('whole again in', response.headers.get('x-ratelimit-reset-requests'))
`,
})

/** A refused call, and its error. */
export const errors: Example = (values) => ({
  curl: curl(values, '/chat/completions', { model: 'no-such-model', messages: hello }),
  python: `from openai import APIStatusError
${openaiPython(values)}
try:
    client.chat.completions.create(
        model="no-such-model",
        messages=[{"role": "user", "content": "Hello"}],
    )
except APIStatusError as error:
    print(error.status_code, error.code, error.request_id)
`,
  node: `${openaiNode(values)}
try {
  await client.chat.completions.create({
    model: 'no-such-model',
    messages: [{ role: 'user', content: 'Hello' }],
  })
} catch (error) {
  if (!(error instanceof OpenAI.APIError)) throw error
  console.log(error.status, error.code, error.requestID)
}
`,
})

/** A call that can be retried, but is executed and charged only once. */
export const idempotency: Example = (values) => ({
  curl: curl(values, '/chat/completions', { model: values.textModel, messages: hello }, [
    '-H "Idempotency-Key: order-4711"',
  ]),
  python: `${openaiPython(values)}
def ask():
    return client.chat.completions.create(
        model="${values.textModel}",
        messages=[{"role": "user", "content": "Hello"}],
        extra_headers={"Idempotency-Key": "order-4711"},
    )

first, second = ask(), ask()
print("same answer:", first.id == second.id)
`,
  node: `${openaiNode(values)}
const ask = () => client.chat.completions.create({
  model: '${values.textModel}',
  messages: [{ role: 'user', content: 'Hello' }],
}, { headers: { 'Idempotency-Key': 'order-4711' } })

const first = await ask()
const second = await ask()
console.log('same answer:', first.id === second.id)
`,
})
