import { curl, type Example, openaiNode, openaiPython } from './example.ts'

/** The first call of a new program. */
export const quickStart: Example = (values) => ({
  curl: curl(values, '/chat/completions', {
    model: values.textModel,
    messages: [{ role: 'user', content: 'Say hello in five languages' }],
  }),
  python: `# pip install openai
${openaiPython(values)}
completion = client.chat.completions.create(
    model="${values.textModel}",
    messages=[{"role": "user", "content": "Say hello in five languages"}],
)
print(completion.choices[0].message.content)
`,
  node: `// npm install openai
${openaiNode(values)}
const completion = await client.chat.completions.create({
  model: '${values.textModel}',
  messages: [{ role: 'user', content: 'Say hello in five languages' }],
})
console.log(completion.choices[0].message.content)
`,
})

/** A conversation with instructions and a length limit. */
export const chatCompletion: Example = (values) => ({
  curl: curl(values, '/chat/completions', {
    model: values.textModel,
    messages: [
      { role: 'system', content: 'You answer in one sentence' },
      { role: 'user', content: 'What is a tide?' },
    ],
    max_tokens: 200,
    temperature: 0.3,
  }),
  python: `${openaiPython(values)}
completion = client.chat.completions.create(
    model="${values.textModel}",
    messages=[
        {"role": "system", "content": "You answer in one sentence"},
        {"role": "user", "content": "What is a tide?"},
    ],
    max_tokens=200,
    temperature=0.3,
)
print(completion.choices[0].message.content)
print(completion.usage.total_tokens, "tokens")
`,
  node: `${openaiNode(values)}
const completion = await client.chat.completions.create({
  model: '${values.textModel}',
  messages: [
    { role: 'system', content: 'You answer in one sentence' },
    { role: 'user', content: 'What is a tide?' },
  ],
  max_tokens: 200,
  temperature: 0.3,
})
console.log(completion.choices[0].message.content)
console.log(completion.usage.total_tokens, 'tokens')
`,
})

/** A streamed answer, and its cost. */
export const streaming: Example = (values) => ({
  curl: curl(
    values,
    '/chat/completions',
    {
      model: values.textModel,
      messages: [{ role: 'user', content: 'Tell me a short story' }],
      stream: true,
      stream_options: { include_usage: true },
    },
    ['--no-buffer'],
  ),
  python: `${openaiPython(values)}
stream = client.chat.completions.create(
    model="${values.textModel}",
    messages=[{"role": "user", "content": "Tell me a short story"}],
    stream=True,
    stream_options={"include_usage": True},
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
    if chunk.usage:
        print()
        print(chunk.usage.completion_tokens, "tokens")
`,
  node: `${openaiNode(values)}
const stream = await client.chat.completions.create({
  model: '${values.textModel}',
  messages: [{ role: 'user', content: 'Tell me a short story' }],
  stream: true,
  stream_options: { include_usage: true },
})
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
  if (chunk.usage) console.log(\`\\n\${chunk.usage.completion_tokens} tokens\`)
}
`,
})

const weather = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

export const tools: Example = (values) => ({
  curl: curl(values, '/chat/completions', {
    model: values.textModel,
    messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
    tools: [{ type: 'function', function: weather }],
  }),
  python: `import json
${openaiPython(values)}
def weather(city):
    return f"Light rain in {city}, 9 degrees"

tools = [{"type": "function", "function": {
    "name": "weather",
    "description": "The weather of a city",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
}}]
messages = [{"role": "user", "content": "What is the weather in Oslo?"}]
while True:
    message = client.chat.completions.create(
        model="${values.textModel}", messages=messages, tools=tools,
    ).choices[0].message
    messages.append(message)
    if not message.tool_calls:
        break
    for call in message.tool_calls:
        result = weather(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
print(message.content)
`,
  node: `${openaiNode(values)}
const weather = ({ city }) => \`Light rain in \${city}, 9 degrees\`

const tools = [{ type: 'function', function: {
  name: 'weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
} }]
const messages = [{ role: 'user', content: 'What is the weather in Oslo?' }]
let message
do {
  const completion = await client.chat.completions.create({
    model: '${values.textModel}', messages, tools,
  })
  message = completion.choices[0].message
  messages.push(message)
  for (const call of message.tool_calls ?? []) {
    const content = weather(JSON.parse(call.function.arguments))
    messages.push({ role: 'tool', tool_call_id: call.id, content })
  }
} while (message.tool_calls?.length)
console.log(message.content)
`,
})

/** A call in the format of OpenAI's Responses API. */
export const responses: Example = (values) => ({
  curl: curl(values, '/responses', {
    model: values.textModel,
    instructions: 'You answer in one sentence',
    input: 'Why is the sky blue?',
  }),
  python: `${openaiPython(values)}
response = client.responses.create(
    model="${values.textModel}",
    instructions="You answer in one sentence",
    input="Why is the sky blue?",
)
print(response.output_text)
`,
  node: `${openaiNode(values)}
const response = await client.responses.create({
  model: '${values.textModel}',
  instructions: 'You answer in one sentence',
  input: 'Why is the sky blue?',
})
console.log(response.output_text)
`,
})

/** A call in the format of Anthropic's Messages API. */
export const messages: Example = (values) => ({
  curl: curl(values, '/messages', {
    model: values.textModel,
    max_tokens: 300,
    messages: [{ role: 'user', content: 'Name three rivers' }],
  }),
  python: `# pip install anthropic
from anthropic import Anthropic

client = Anthropic(
    base_url="${values.origin}/api",
    api_key="${values.apiKey}",
)

with client.messages.stream(
    model="${values.textModel}",
    max_tokens=300,
    messages=[{"role": "user", "content": "Name three rivers"}],
) as stream:
    for text in stream.text_stream:
        print(text, end="", flush=True)
print()
`,
  node: `// npm install @anthropic-ai/sdk
import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${values.origin}/api',
  apiKey: '${values.apiKey}',
})

const stream = client.messages.stream({
  model: '${values.textModel}',
  max_tokens: 300,
  messages: [{ role: 'user', content: 'Name three rivers' }],
})
stream.on('text', (text) => process.stdout.write(text))
await stream.finalMessage()
console.log()
`,
})
