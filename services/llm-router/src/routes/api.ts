import type { CountResult, Limit } from '@parley/cache'
import {
  type ApiKey,
  type ApiModel,
  apiRoutes,
  isOfAnthropic,
  type KeyPrincipal,
  keyInternalRoutes,
  type MessagesModel,
  type Model,
  type Principal,
  type Route,
} from '@parley/contracts'
import { AppError, type Call, mountStream, type ServiceClient, validationFailed } from '@parley/kit'
import type { ErrorRequestHandler, IRouter, Response } from 'express'
import { type ApiRequestDeps, chatCompletion, embeddings, image, message, response } from '../api/api-requests.ts'
import type { Idempotency } from '../api/idempotency.ts'
import {
  type FreeCall,
  type LimitHeaders,
  lookAtKey,
  lookAtLimits,
  takeContinuation,
  takeFreeCall,
} from '../api/limits.ts'
import { type Output, responseOutput } from '../api/output.ts'
import { type ApiRequest, findModel, type ServeDeps, serveRequest } from '../api/serve-request.ts'
import type { StoredResponses } from '../api/stored-responses.ts'

interface ApiRouteDeps extends ServeDeps, ApiRequestDeps {
  readonly idempotency: Idempotency
  readonly stored: StoredResponses
  readonly client: ServiceClient
}

/** `/api/v1`: the API for programs with a key. */
export function addApiRoutes(router: IRouter, deps: ApiRouteDeps): void {
  const largestContext = async (): Promise<number> =>
    Math.max(0, ...(await deps.registry.models()).map(({ contextLength }) => contextLength))
  const setLimitHeaders = async (key: KeyPrincipal, response: Response): Promise<void> => {
    setHeaders(response, await lookAtLimits(deps, key, await largestContext()))
  }
  const takeFree = async (kind: FreeCall, key: KeyPrincipal, response: Response): Promise<void> =>
    takeFreeCall(deps, key, { kind, contextLength: await largestContext() }, (limits) => setHeaders(response, limits))
  const usable = async (key: KeyPrincipal): Promise<Model[]> =>
    (await deps.registry.models()).filter(({ enabled }) => enabled || key.rights.isAdmin)

  mountStream(router, apiRoutes.models, async ({ principal, headers }, response) => {
    const key = actingKey(principal)
    await setLimitHeaders(key, response)
    response.json((isOfAnthropic(headers) ? messagesModels : openaiModels)(await usable(key)))
  })
  mountStream(router, apiRoutes.model, async ({ principal, params, headers }, response) => {
    const key = actingKey(principal)
    const model = (await usable(key)).find(({ id }) => id === params.id)
    if (model === undefined) {
      const text = 'Model not found, or this key may not use it.'
      throw new AppError('not_found', text, { details: [{ path: 'model', message: text }] })
    }
    await setLimitHeaders(key, response)
    response.json((isOfAnthropic(headers) ? messagesModel : presentModel)(model))
  })
  mountStream(router, apiRoutes.usage, async ({ principal, requestId }, answer) => {
    const key = actingKey(principal)
    const params = { userId: key.userId, id: key.keyId }
    const [shown, window] = await Promise.all([
      deps.client.call(keyInternalRoutes.show, { params, requestId }),
      lookAtKey(deps, key),
    ])
    await setLimitHeaders(key, answer)
    answer.json(presentUsage(shown.key, window))
  })
  const takeCount = async (key: KeyPrincipal, request: ApiRequest, answer: Response): Promise<void> => {
    const { contextLength } = await findModel(deps, request, key)
    await takeFreeCall(deps, key, { kind: 'counts', contextLength }, (limits) => setHeaders(answer, limits))
  }
  mountStream(router, apiRoutes.countTokens, async ({ principal, body }, answer) => {
    const request = message(deps, { ...body, max_tokens: 1 })
    await takeCount(actingKey(principal), request, answer)
    answer.json({ input_tokens: request.inputTokens })
  })
  mountStream(router, apiRoutes.responseTokens, async ({ principal, body }, answer) => {
    const key = actingKey(principal)
    const asked = { ...body, stream: false }
    await takeCount(key, response(deps, asked), answer)
    const { inputTokens } = response(deps, await deps.stored.complete(key.userId, asked))
    answer.json({ object: 'response.input_tokens', input_tokens: inputTokens })
  })
  /** Mounts a call about a stored response. */
  const serveStored = <R extends Route>(route: R, act: (userId: string, call: Call<R>) => Promise<object>): void =>
    mountStream(router, route, async (call, answer) => {
      const key = actingKey(call.principal)
      await takeFree('reads', key, answer)
      answer.json(await act(key.userId, call))
    })
  serveStored(apiRoutes.storedResponse, (userId, { params }) => deps.stored.find(userId, params.id))
  serveStored(apiRoutes.cancelResponse, async (userId, { params }) => {
    await deps.stored.find(userId, params.id)
    throw validationFailed([
      { path: 'id', message: 'Only background responses can be cancelled, and none are supported' },
    ])
  })
  serveStored(apiRoutes.responseInput, (userId, { params, query }) => deps.stored.items(userId, params.id, query))
  serveStored(apiRoutes.removeResponse, async (userId, { params: { id } }) => {
    await deps.stored.remove(userId, id)
    return { id, object: 'response', deleted: true }
  })
  const serve = <R extends Route>(route: R, read: ReadRequest): void =>
    mountStream(router, route, async ({ principal, requestId, body, headers }, answer) => {
      const key = actingKey(principal)
      const setLimits: SetLimits = (limits) => setHeaders(answer, limits)
      const output = responseOutput(answer)
      const serveTo = async (to: Output): Promise<void> => {
        const request = await read(body as never, headers, { key, setLimits })
        await serveRequest(deps, request, { key, requestId, setHeaders: setLimits, output: to })
      }
      const idempotencyKey = headers['idempotency-key']
      if (typeof idempotencyKey !== 'string') return await serveTo(output)
      let taken: Promise<void> | undefined
      const takeRepeat = (): Promise<void> => {
        taken ??= takeFree('repeats', key, answer).then(() => setLimitHeaders(key, answer))
        return taken
      }
      // A first request is refused then, too. Counting it bounds the claims that refused ones write and release.
      if ((await lookAtKey(deps, key)).remaining === 0) await takeRepeat()
      await deps.idempotency.once({ ...{ key, idempotencyKey, path: route.path, takeRepeat }, body }, output, serveTo)
    })
  serve(apiRoutes.chatCompletions, (body) => chatCompletion(deps, body))
  serve(apiRoutes.messages, (body, headers) => message(deps, body, readBetas(headers)))
  serve(apiRoutes.responses, async (body, _headers, { key, setLimits }) => {
    if (deps.stored.isContinued(body)) {
      const model = await findModel(deps, response(deps, body), key)
      await takeContinuation(deps, key, model, setLimits)
    }
    return response(deps, await deps.stored.complete(key.userId, body), deps.stored.recorder(key.userId, body))
  })
  serve(apiRoutes.embeddings, embeddings)
  serve(apiRoutes.images, (body) => image(deps, body))

  // Official clients read the limits from every response, including validation errors.
  const setLimitHeadersOfError: ErrorRequestHandler = async (error, _request, response, next) => {
    const principal = response.locals.principal as Principal | undefined
    if (principal?.kind === 'key' && !response.headersSent && !response.hasHeader('x-ratelimit-limit-requests')) {
      await setLimitHeaders(principal, response).catch((failed: unknown) =>
        deps.log.warn({ err: failed }, 'the rate limits of a key could not be read'),
      )
    }
    next(error)
  }
  router.use('/api/v1', setLimitHeadersOfError)
}

/** The request in a body that matches its route. */
type ReadRequest = (body: never, headers: Headers, caller: LimitedCaller) => ApiRequest | Promise<ApiRequest>

type SetLimits = (limits: LimitHeaders) => void
interface LimitedCaller {
  readonly key: KeyPrincipal
  readonly setLimits: SetLimits
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The beta features requested by a client of Anthropic's, separated by commas. @throws AppError validation_failed for an invalid list */
function readBetas({ 'anthropic-beta': betas }: Headers): string | undefined {
  if (betas === undefined || /^[\w.,: -]{1,2000}$/.test(String(betas))) return betas?.toString()
  throw validationFailed([{ path: 'anthropic-beta', message: 'Must be names separated by commas' }])
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** The calling key. @throws AppError unauthenticated for any other caller; a service acts for no user */
function actingKey(principal: Principal): KeyPrincipal {
  if (principal.kind !== 'key') throw new AppError('unauthenticated', 'This needs an API key')
  return principal
}

const presentModel = ({ id, createdAt, provider }: Model): ApiModel => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(createdAt) / 1000),
  owned_by: provider,
})

const openaiModels = (models: readonly Model[]) => ({ object: 'list', data: models.map(presentModel) })

const messagesModel = ({ id, name, createdAt }: Model): MessagesModel => ({
  ...{ id, type: 'model', display_name: name, created_at: createdAt },
})

const messagesModels = (models: readonly Model[]) => ({
  data: models.map(messagesModel),
  has_more: false,
  first_id: models[0]?.id ?? null,
  last_id: models.at(-1)?.id ?? null,
})

const presentUsage = (
  { id, label, tier, expiresAt, usage }: ApiKey,
  { points: requests, windowMs, remaining }: CountResult & Limit,
) => ({
  ...{ object: 'usage', id, label, tier, expiresAt, usage },
  limits: { requests, windowMinutes: windowMs / 60_000, remaining },
})
