import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

type Program = Extract<RequirementId, `program.${string}`>

const chat = 'services/llm-router/test/api-chat.test.ts'
const clients = 'services/llm-router/test/api-clients.test.ts'
const accounts = 'services/llm-router/test/accounts.test.ts'
const once = 'services/llm-router/test/api-idempotency.test.ts'
const badInput = 'services/llm-router/test/api-bad-input.test.ts'
const keys = 'services/gateway/test/keys.test.ts'
const openApi = 'services/gateway/src/http/openapi.test.ts'
const system = 'services/all-in-one/test/api-keys.test.ts'
const unmodified = 'tests/e2e/test/programs.test.ts'
const src = 'services/llm-router/src/api'

/** Tests of the guarantees to programs with an API key. */
export const programs: Coverage<Program> = {
  'program.chat': [
    `${clients} › read a chat completion, whole and streamed`,
    `${clients} › get parallel tool calls, and return their results`,
    `${clients} › send images, stop words, limits and a schema for the answer`,
    `${chat} › gets the provider’s answer byte for byte, its cost and the rest of the limits`,
    `${chat} › gets the provider’s stream byte for byte, with usage figures only on request`,
    `${src}/relay-answer.test.ts › %s, with %s and cut at every byte, is relayed byte for byte, its figures read`,
    `${src}/translated-answer.test.ts › an answer of %s with %s and cut at every byte is the same %s, streamed and whole`,
  ],
  'program.clients': [
    `${unmodified} › the clients of OpenAI and Anthropic get whole and streamed answers`,
    `${unmodified} › the AI SDK generates text, streams, tool steps, and objects`,
    `${unmodified} › LangChain’s ChatOpenAI invokes, streams, calls tools and gets structured output`,
    'tests/e2e/test/python-programs.test.ts › do all that the clients of OpenAI and Anthropic and LangChain offer them, and pay for each call once',
    `${unmodified} › compatcanary finds no fault in its profile %s`,
    `${unmodified} › gets the AI SDK’s and LangChain’s errors for it, without a retry`,
    'services/llm-router/test/api-codex.test.ts › calls a tool that takes plain text with the model %s',
  ],
  'program.messages': [
    `${clients} › read a message in Anthropic’s format, whole and streamed, with tool calls`,
    `${clients} › have Anthropic’s beta headers passed to Anthropic, and to no other provider`,
    'services/llm-router/test/api-claude-code.test.ts › has its instructions within a conversation translated for other providers, and its effort for models that reason',
    'services/llm-router/test/api-claude-code.test.ts › free of charge and of its requests',
  ],
  'program.responses': [
    `${clients} › read a response in the Responses format, whole and streamed, with tool calls`,
    `${src}/relayed-responses.test.ts › a response of OpenAI itself is relayed byte for byte, with its figures and id read`,
  ],
  'program.stored': [
    'services/llm-router/test/api-stored-responses.test.ts › is continued by its id, streamed: %s',
    'services/llm-router/test/api-stored-responses.test.ts › a conversation that refers to items of stored responses is complete, as the AI SDK sends it',
    'services/llm-router/test/api-stored-responses.test.ts › a response belongs to its owner: another of their keys continues it, and nobody else',
    'services/llm-router/test/api-stored-responses.test.ts › stored responses are exported with the account, and erased with it, including one that ends later',
  ],
  'program.made': [`${clients} › gets embeddings and an image, each for the price of its model`],
  'program.models': [
    `${clients} › list the models and find one`,
    `${chat} › is refused a model disabled by an admin, which is in no list`,
  ],
  'program.described': [
    'services/gateway/test/front.test.ts › describes every public route, and those for programs separately, without a key',
    `${openApi} › has operations with unique ids, listed tags, and parameters that match their paths`,
    `${openApi} › has schemas that a JSON Schema 2020-12 validator accepts, with resolvable references`,
    `${openApi} › the OpenAPI documents describe a chat completion as JSON or a stream, with its API key, its limits and its Idempotency-Key`,
  ],
  'program.usage': [
    `${system} › reads its usage and remaining rate limit`,
    'services/billing/test/keys.test.ts › show the rest of the window in which their requests are counted, or null while it is unknown',
  ],
  'program.owner': [
    `${system} › gets answers with the official clients of OpenAI and Anthropic, charged to the key's owner`,
    `${system} › finds its request in the owner’s receipts by the id in the answer, complete and streamed, in both dialects`,
  ],
  'program.errors': [
    `${clients} › throw their own error classes`,
    `${chat} › is told when credits or the plan’s requests are used up or billing is unavailable, and when to retry`,
    `${chat} › gets an error event, then the end, when an answer %s after its first piece, and is charged for it`,
    'packages/kit/src/errors/api-error.test.ts › an error with several faults reports the first, with its place in the message if Anthropic’s format has no field for it',
    'packages/kit/src/errors/api-error.test.ts › the error %s has Anthropic’s format for its clients',
    `${badInput} › is refused by %s in the format of its dialect, without a hold or a call`,
  ],
  'program.limits': [
    `${chat} › is admitted exactly 100 times of 200 at once at a limit of 100, and each refusal has a time to retry`,
    `${chat} › of tier %i may call %i times where the base limit is 10`,
    `${chat} › has tokens reserved before the call, and gets unused ones back`,
  ],
  'program.charged': [
    `${chat} › gets the provider’s answer byte for byte, its cost and the rest of the limits`,
    `${src}/relay-answer.test.ts › figures, with %s, say what the answer cost, and else are what they were`,
    `${chat} › gets 502 and no charge when the provider of a stream answers with %s`,
  ],
  'program.accounts': [
    `${accounts} › are used in turn, on the web and by key`,
    `${accounts} › rest as long as the refusal asked, on the web as well`,
    `${accounts} › are all tried before a fallback`,
  ],
  'program.exact': [
    'tests/faults/test/faults.test.ts › every generation on the web and by key is charged once, as its receipt says, despite duplicates and kills of the bus, llm-router, gateway and billing',
  ],
  'program.once': [
    `${once} › cause one provider call, one charge and 50 equal answers when 50 arrive at once (%s)`,
    `${once} › and different bodies are refused with 409, which clients do not retry`,
    `${once} › may be retried if the first failed before its answer started`,
    `${once} › that arrive during a stream replay it from the start, byte for byte`,
    `${once} › are answered to the end if the first caller leaves, and the next one gets that answer`,
  ],
  'program.left': [`${chat} › that disconnects cancels the provider’s call, and is charged for what was sent`],
  'program.hostile': [`${chat} › cannot set the destination, the headers or the price of the call`],
  'program.key': [
    `${keys} › admits a program as the key of its owner, and passes the secret to no service`,
    `${keys} › is accepted in x-api-key at every path, and nowhere else`,
    `${keys} › may be in both headers, but two different ones are refused`,
    `${keys} › is refused at %s with 401`,
    `${keys} › is reported as incorrect when it was mangled, and as missing when it is absent`,
    `${keys} › is required: a user's token, nothing, and a malformed secret are refused in OpenAI's format`,
    `${keys} › has its running streams cut when %s`,
    `${keys} › has its running streams cut when it expires`,
    `${system} › is refused as soon as its key is revoked or the owner banned`,
    `${keys} › that does not exist is looked up once, however often it is sent`,
  ],
}
