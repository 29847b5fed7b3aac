import type { ListedItem, ResponseItem, ResponsesBody } from '@parley/contracts'
import {
  AppError,
  createKeyedLimiter,
  createLimiter,
  every,
  type Logger,
  validationFailed,
  withTimeout,
} from '@parley/kit'
import { z } from 'zod'
import type { ResponseBody, ResponseStore, StoredResponse } from '../store/response-store.ts'
import { inputItems } from './dialects/responses-prompt.ts'
import { echoedFields } from './dialects/responses-writer.ts'
import { dataOf, splitEvents } from './event-cutter.ts'

const hourMs = 3_600_000
/** Maximum milliseconds for which the end of a response waits until it is stored. */
const patienceMs = 2_000

/** How many stored conversations of up to 64 MB are read at once, and how many more may wait. */
const readAtOnce = { ofUser: [2, 200], inAll: [8, 2_000] } as const

/** Maximum UTF-16 units of the items that a request refers to, each as often as it does: a short reference may stand for a long item. */
const longestReferred = 32 * 1024 * 1024

/** Which items of an input are listed. */
export interface ItemsQuery {
  readonly limit: number
  readonly order: 'asc' | 'desc'
  /** The last item of the page before. */
  readonly after?: string | undefined
}

/** Stores responses that their callers may continue, and completes requests that continue them. */
export type StoredResponses = ReturnType<typeof createStoredResponses>

interface StoredResponsesDeps {
  readonly store: ResponseStore
  /** Days after which a response is deleted; with 0 none is stored. */
  readonly retentionDays: number
  readonly log: Logger
}

export function createStoredResponses({ store, retentionDays, log }: StoredResponsesDeps) {
  const sweeping = every(hourMs, () => store.sweep(retentionDays), {
    name: 'remove expired responses',
    firstMs: 60_000,
    log,
  })
  const [ofUser, inAll] = [createKeyedLimiter(...readAtOnce.ofUser), createLimiter(...readAtOnce.inAll)]
  const limited = <T>(userId: string, read: () => Promise<T>): Promise<T> => ofUser.run(userId, () => inAll.run(read))
  const find = async (userId: string, id: string): Promise<StoredResponse> => {
    const stored = await limited(userId, () => store.find(userId, id))
    if (stored === undefined) throw unknownResponse(id)
    return stored
  }
  return {
    /** Whether a request continues a stored response or refers to items of one, so that `complete` reads them. */
    isContinued,
    /**
     * The request with its whole conversation as input: preceded by the responses that it continues, and with the items that it refers to.
     * @throws AppError validation_failed when something of it is not stored, unavailable when too many wait for theirs
     */
    async complete(userId: string, body: ResponsesBody): Promise<ResponsesBody> {
      return isContinued(body) ? await limited(userId, () => completed(store, userId, body)) : body
    },
    /**
     * What stores the response to a request from its last bytes: the last events of a stream, or the whole response. It never rejects.
     * @returns undefined if it is not to be stored
     */
    recorder(userId: string, body: ResponsesBody): ((last: Uint8Array) => Promise<void>) | undefined {
      if (retentionDays === 0 || body.store === false) return undefined
      return async (last) => {
        try {
          const response = { ...responseIn(last, body.stream === true), ...echoedFields(body, true) }
          const stored = { previousId: previousOf(body), input: inputItems(body), response }
          await withTimeout(patienceMs, store.add(userId, stored))
        } catch (error) {
          log.error({ err: error }, 'a response could not be stored')
        }
      }
    },
    /** @throws AppError not_found */
    find: async (userId: string, id: string): Promise<ResponseBody> => (await find(userId, id)).response,
    /** The items of a response's own request, in OpenAI's list format. @throws AppError not_found, or validation_failed for an unknown `after` */
    items: async (userId: string, id: string, query: ItemsQuery) => pageOf(listed(await find(userId, id)), query),
    /** @throws AppError not_found */
    async remove(userId: string, id: string): Promise<void> {
      if (!(await store.remove(userId, id))) throw unknownResponse(id)
    },
    start: (): void => sweeping.start(),
    stop: (): Promise<void> => sweeping.stop(),
  }
}

async function completed(store: ResponseStore, userId: string, body: ResponsesBody): Promise<ResponsesBody> {
  const previousId = previousOf(body)
  const earlier = previousId === undefined ? [] : await store.conversation(userId, previousId)
  if (earlier === undefined) throw unknownPrevious(previousId)
  const before = earlier.flatMap(({ input, response }) => [...input, ...response.output.map(withoutId)])
  const items = [...before, ...inputItems(body)]
  const referred = items.flatMap((item) => (isReference(item) && item.id ? [item.id] : []))
  const stored = await store.items(userId, referred)
  if (lengthOf(referred, stored) > longestReferred) throw tooLongItems
  return { ...body, input: withoutReferences(items, stored) }
}

function lengthOf(referred: readonly string[], stored: ReadonlyMap<string, ResponseItem>): number {
  const lengths = new Map([...new Set(referred)].map((id) => [id, JSON.stringify(stored.get(id) ?? '').length]))
  return referred.reduce((sum, id) => sum + (lengths.get(id) ?? 0), 0)
}

const isContinued = (body: ResponsesBody): boolean =>
  previousOf(body) !== undefined || inputItems(body).some(isReference)

const previousOf = ({ previous_response_id: id }: ResponsesBody): string | undefined => id || undefined

const isReference = ({ type }: ResponseItem): boolean => type === 'item_reference'

/**
 * Items with stored ones in place of references. The AI SDK refers to the words before a call that it sends as well: without them the
 * conversation is still complete.
 * @throws AppError validation_failed when another turn would be lost
 */
export function withoutReferences(
  items: readonly ResponseItem[],
  stored: ReadonlyMap<string, ResponseItem>,
): ResponseItem[] {
  const resolved: ResponseItem[] = []
  for (const item of items.toReversed()) {
    const found = stored.get(item.id ?? '')
    if (!isReference(item)) resolved.push(item)
    else if (found !== undefined) resolved.push(withoutId(found))
    else if (!isOfAssistant(resolved.at(-1))) throw unknownItem(item.id ?? '')
  }
  return resolved.toReversed()
}

/** OpenAI would look for it among the responses that it has stored itself. */
const withoutId = ({ id: _, ...item }: ResponseItem): ResponseItem => item

const isOfAssistant = (item: ResponseItem | undefined): boolean =>
  item?.role === 'assistant' || item?.type === 'function_call' || item?.type === 'custom_tool_call'

const unknownResponse = (id: string): AppError => {
  const message = `Response with id “${id}” not found.`
  return new AppError('not_found', message, { details: [{ path: 'id', message }] })
}
const unknownPrevious = (id = ''): AppError =>
  validationFailed([
    {
      path: 'previous_response_id',
      message: `Response “${id}” or one before it isn’t stored, or all are too long: send the whole conversation as input`,
    },
  ])
const unknownItem = (id: string): AppError =>
  validationFailed([
    { path: 'input', message: `Item “${id}” isn’t stored: send the whole item instead of a reference` },
  ])
const tooLongItems = validationFailed([{ path: 'input', message: 'The items referred to are too long together' }])

const responseSchema = z.looseObject({ id: z.string(), output: z.array(z.looseObject({})) })
const lastEventSchema = z.object({ response: responseSchema })

/** @throws Error when there is none */
function responseIn(last: Uint8Array, isStream: boolean): ResponseBody {
  const bytes = Buffer.from(last)
  if (!isStream) return responseSchema.parse(JSON.parse(bytes.toString('utf8')))
  const event = splitEvents(bytes).at(-1) ?? Buffer.alloc(0)
  return lastEventSchema.parse(JSON.parse(dataOf(event))).response
}

/** The items of a response's request, each with an id and a type. */
const listed = ({ input, response }: StoredResponse): ListedItem[] =>
  input.map((item, nth) => ({
    ...{ ...item, type: item.type ?? 'message', id: item.id ?? `item_${response.id}_${nth}` },
    ...(typeof item.content === 'string' && { content: [{ type: 'input_text', text: item.content }] }),
  }))

function pageOf(items: readonly ListedItem[], { limit, order, after }: ItemsQuery) {
  const ordered = order === 'asc' ? items : items.toReversed()
  const last = after === undefined ? -1 : ordered.findIndex(({ id }) => id === after)
  if (after !== undefined && last === -1) throw validationFailed([{ path: 'after', message: 'There is no such item' }])
  const data = ordered.slice(last + 1, last + 1 + limit)
  return {
    object: 'list' as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: last + 1 + limit < ordered.length,
  }
}
