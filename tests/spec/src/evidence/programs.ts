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
    `${clients} › are given parallel calls of tools, and hand in their results`,
    `${clients} › send images, stop words, limits and a schema of the answer`,
    `${chat} › is given the answer of the provider byte for byte, what it cost and what is left`,
    `${chat} › is streamed what the provider sends, byte for byte, with figures only where it asked for them`,
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
  ],
  'program.messages': [
    `${clients} › read a message of Anthropic, whole and streamed, with calls of tools`,
    `${clients} › have what they want to try of Anthropic told to Anthropic, and to nobody else`,
  ],
  'program.responses': [
    `${clients} › read a response, whole and streamed, with calls of tools`,
    `${src}/relayed-responses.test.ts › a response of OpenAI itself is relayed byte for byte, its figures and its id read`,
  ],
  'program.made': [`${clients} › is given embeddings and an image, each for the price of its model`],
  'program.models': [
    `${clients} › list the models and find one`,
    `${chat} › is refused a model that an admin disabled, which is in no list`,
  ],
  'program.described': [
    'services/gateway/test/front.test.ts › describes every public route, and those of programs alone, without a key',
    `${openApi} › has operations with ids of their own, tags that it lists and the parameters that their paths have`,
    `${openApi} › has schemas that a validator of JSON Schema 2020-12 takes, with references that lead somewhere`,
    `${openApi} › describes a chat completion as JSON or a stream, with its key, its limits and the key against repetition`,
  ],
  'program.usage': [
    `${system} › reads its usage and remaining rate limit`,
    'services/billing/test/keys.test.ts › tell what is left of the window in which their requests are counted, and nothing while that is unknown',
  ],
  'program.owner': [
    `${system} › gets answers with the official clients of OpenAI and Anthropic, charged to the key's owner`,
    `${system} › finds its request in the owner’s receipts by the id in the answer, complete and streamed, in both dialects`,
  ],
  'program.errors': [
    `${clients} › throw the errors that they know`,
    `${chat} › is told that credits or requests of the plan are used up, or that billing is away, and when to try again`,
    `${chat} › is sent an error event, then the end, when an answer %s after its first piece, and pays for it`,
    'packages/kit/src/api-error.test.ts › an error with several faults tells the first, and where it is in what the form of Anthropic has no place for',
    'packages/kit/src/api-error.test.ts › the error %s has the form of Anthropic for its clients',
    `${badInput} › is refused by %s in the form of its dialect, without a hold or a call`,
  ],
  'program.limits': [
    `${chat} › of 200 at once at a limit of 100 is let through exactly 100 times, and each refusal says when to try again`,
    `${chat} › of tier %i may call %i times where the base limit is 10`,
    `${chat} › reserves tokens before the call and is given back those that were not used`,
  ],
  'program.charged': [
    `${chat} › is given the answer of the provider byte for byte, what it cost and what is left`,
    `${src}/relay-answer.test.ts › figures, with %s, say what the answer cost, and else are what they were`,
    `${chat} › is answered 502 and charged nothing when the provider of a stream answers with %s`,
  ],
  'program.accounts': [
    `${accounts} › are called in turn, on the web and by key`,
    `${accounts} › rest as long as they were told after a refusal, on the web as well`,
    `${accounts} › are all asked before a fallback is`,
  ],
  'program.exact': [
    'tests/faults/test/faults.test.ts › every generation on the web and by key is charged once, as its receipt says, despite duplicates and kills of the bus, llm-router, gateway and billing',
  ],
  'program.once': [
    `${once} › that come 50 at once are one call of the provider, one charge and 50 equal answers (%s)`,
    `${once} › that ask for something else are refused with 409, which no client tries again`,
    `${once} › of which the first failed before its answer began may be sent again`,
    `${once} › that come while a stream runs follow it from its beginning, and are given the same bytes`,
    `${once} › are answered to the end when the first caller leaves, and the next one is given that answer`,
  ],
  'program.left': [`${chat} › that goes away ends the call of the provider, and pays for what it was sent`],
  'program.hostile': [`${chat} › cannot say where the call goes, with which headers, or how dear it gets`],
  'program.key': [
    `${keys} › lets a program through as the key of its owner, and tells no service the secret`,
    `${keys} › is taken from x-api-key at every path, and from nowhere else`,
    `${keys} › may come in both headers, where two different ones are refused`,
    `${keys} › is refused at %s with 401`,
    `${keys} › that was mangled on its way into a program is called incorrect, and one that is not there missing`,
    `${keys} › is needed: a token of a user, nothing, and what is no secret are refused in the form of OpenAI`,
    `${keys} › has its running streams cut when %s`,
    `${keys} › has its running streams cut when it expires`,
    `${system} › is refused as soon as its key is revoked or the owner banned`,
    `${keys} › that does not exist is asked for once, however often it comes`,
  ],
}
