import {
  type Model,
  modelAdminRoutes,
  modelInternalRoutes,
  modelRoutes,
  modelSchema,
  providerIds,
} from '@parley/contracts'
import {
  adminPrincipal,
  apiClient,
  badInputCases,
  guestPrincipal,
  servicePrincipal,
  userPrincipal,
} from '@parley/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { account, type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
/** Admin acts as published for the audit log. */
const acts: { id: string; data: { action: string; target: string | null; after: unknown } }[] = []
beforeAll(async () => {
  router = await givenRouter({
    providers: (provider) => ({ deepseek: { ...account, baseUrl: provider.openaiUrl, notice: 'Demo answers' } }),
    resolveHost: async (host) => [{ address: host.startsWith('inside') ? '10.1.2.3' : '93.184.216.34', family: 4 }],
  })
  await router.bus.subscribe({
    group: 'auth.audit',
    handlers: { 'llm-router.admin-acted': async (event) => void acts.push(event) },
  })
})
afterAll(() => router.stop())

const as = (principal = userPrincipal() as Parameters<ReturnType<typeof apiClient>['as']>[0]) =>
  apiClient(router.url, router.identity).as(principal)
const registry = async () => (await router.admin.call(modelAdminRoutes.list)).body.models
const fields = { name: 'New', provider: 'deepseek', group: 'Test' } as const

describe('the seeded registry', () => {
  test('has a text model of every provider, an image model and the guests’ model', async () => {
    const models = await registry()
    for (const model of models) expect(modelSchema.parse(model)).toEqual(model)
    const text = models.filter((model) => model.modelType === 'text' && model.enabled)
    expect(new Set(text.map((model) => model.provider))).toEqual(new Set(providerIds))
    expect(models.some((model) => model.modelType === 'image' && model.enabled)).toBe(true)
    expect(models.find((model) => model.id === 'v3')).toMatchObject({
      name: 'DeepSeek v3',
      provider: 'deepseek',
      apiModelName: 'deepseek-chat',
      creditsPerMessage: 1,
      sdkType: 'openai-sdk',
    })
  })

  test('states the capabilities of its models', async () => {
    const able = (flag: 'supportsTools' | 'supportsImageAttachments' | 'supportsFileAttachments', models: Model[]) =>
      models.filter((model) => model[flag]).map(({ id }) => id)
    const text = (await registry()).filter(({ modelType }) => modelType === 'text')
    const seeing = text.map(({ id }) => id).filter((id) => id !== 'v3' && id !== 'deepseek-reasoner')
    expect(able('supportsTools', text)).toEqual(['v3', ...seeing])
    expect(able('supportsImageAttachments', text)).toEqual(seeing)
    expect(able('supportsFileAttachments', text)).toEqual(seeing.filter((id) => !/^(grok|gemini)/.test(id)))
  })

  test('satisfies its own rules', async () => {
    for (const { id, fallbackModels, sdkType, apiEndpoint } of await registry()) {
      const answer = await router.admin.call(modelAdminRoutes.update, {
        params: { id },
        body: { fallbackModels, sdkType, apiEndpoint },
      })
      expect(answer.status, answer.text).toBe(200)
    }
  })
})

describe('the hierarchy', () => {
  test('has groups of providers, notices and prices, and nothing secret', async () => {
    await router.model({
      id: 'secretive',
      apiEndpoint: 'https://hidden.example',
      customHeaders: [{ name: 'x-team', value: 'hush' }],
    })
    const { body, text } = await as(guestPrincipal()).call(modelRoutes.hierarchy)
    const deepseek = body.providers.find((provider) => provider.id === 'deepseek')
    expect(deepseek).toMatchObject({ name: 'DeepSeek', notice: 'Demo answers' })
    expect(deepseek?.groups[0]?.models[0]).toMatchObject({ id: 'v3', creditsPerMessage: 1, locked: false })
    expect(body.providers.map((provider) => provider.id)).toEqual(providerIds)
    expect(text).not.toMatch(/hidden\.example|hush|canary|apiEndpoint|customHeaders|127\.0\.0\.1/)
  })

  test('shows a disabled model as locked to everybody but admins', async () => {
    await router.model({ id: 'switched-off', enabled: false })
    const locked = async (principal: Parameters<typeof as>[0]) => {
      const { body } = await as(principal).call(modelRoutes.hierarchy)
      const models = body.providers.flatMap((provider) => provider.groups.flatMap((group) => group.models))
      return models.find((model) => model.id === 'switched-off')?.locked
    }
    expect(await locked(guestPrincipal())).toBe(true)
    expect(await locked(userPrincipal())).toBe(true)
    expect(await locked(adminPrincipal())).toBe(false)
  })

  test('answers 304 until something changes', async () => {
    const first = await as().call(modelRoutes.hierarchy)
    const etag = first.headers.etag as string
    const again = await as().call(modelRoutes.hierarchy, { headers: { 'if-none-match': `"other", W/${etag}` } })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    await router.model({ id: 'changes-the-tag' })
    const changed = await as().call(modelRoutes.hierarchy, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).not.toBe(etag)
  })
})

describe('an admin', () => {
  test('adds a model with defaults, once', async () => {
    const body = { id: 'added', ...fields }
    const answers = await Promise.all([1, 2, 3].map(() => router.admin.call(modelAdminRoutes.create, { body })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409])
    const { model } = answers.find((answer) => answer.status === 201)?.body ?? {}
    expect(model).toMatchObject({
      id: 'added',
      enabled: true,
      creditsPerMessage: 1,
      updatedBy: 'admin-1',
      fallbackModels: [],
    })
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({ code: 'conflict' })
  })

  test('gets a model’s group from its provider and its API name from its id by default', async () => {
    const given = { id: 'brief', name: 'Brief', provider: 'xai' } as const
    const added = await router.admin.call(modelAdminRoutes.create, { body: given })
    expect(added.body.model).toMatchObject({ group: 'xAI', apiModelName: 'brief' })
    const set = async (apiModelName: string) =>
      (await router.admin.call(modelAdminRoutes.update, { params: { id: 'brief' }, body: { apiModelName } })).body.model
    expect(await set('grok-latest')).toMatchObject({ apiModelName: 'grok-latest' })
    expect(await set('')).toMatchObject({ apiModelName: 'brief' })
  })

  test('updates the given fields only', async () => {
    const before = await router.model({ id: 'changed', temperature: 0.5, customHeaders: [{ name: 'x-a', value: 'b' }] })
    const { body } = await router.admin.call(modelAdminRoutes.update, {
      params: { id: 'changed' },
      body: { creditsPerMessage: 9 },
    })
    expect(body.model).toEqual({ ...before, creditsPerMessage: 9, version: 2, updatedAt: body.model.updatedAt })
    const told = () => acts.filter(({ data }) => data.target === 'changed').at(-1)?.data.after
    await expect.poll(told).toMatchObject({ version: 2, customHeaders: [{ name: 'x-a', value: '[hidden]' }] })
  })

  test('is told when another admin has changed a model meanwhile, with the current model (409)', async () => {
    const { version } = await router.model({ id: 'contested' })
    const set = (body: Record<string, unknown>) =>
      router.admin.call(modelAdminRoutes.update, { params: { id: 'contested' }, body })
    expect((await set({ name: 'First', version })).body.model).toMatchObject({ name: 'First', version: version + 1 })
    expect(await set({ name: 'Second', version })).toMatchObject({
      status: 409,
      body: { code: 'conflict', current: { id: 'contested', name: 'First', version: version + 1 } },
    })
    expect((await set({ name: 'Third' })).body.model.name).toBe('Third')
  })

  test('finds models by text, provider and state, also as CSV', async () => {
    await router.model({ id: 'wanted-1', name: 'Needle One', description: '=danger' })
    await router.model({ id: 'wanted-2', name: 'needle two', enabled: false })
    const found = async (query: Record<string, string>) =>
      (await router.admin.call(modelAdminRoutes.list, { query })).body.models.map(({ id }) => id)
    expect(await found({ query: 'NEEDLE' })).toEqual(['wanted-1', 'wanted-2'])
    expect(await found({ query: 'needle', enabled: 'false' })).toEqual(['wanted-2'])
    expect(await found({ query: 'needle', provider: 'xai' })).toEqual([])
    const { headers, text } = await router.admin.call(modelAdminRoutes.list, {
      query: { query: 'needle', format: 'csv' },
    })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = text.split('\r\n')
    expect(lines[0]).toMatch(/^id,name,description,provider,/)
    expect(lines.slice(1, -1).map((line) => line.split(',').slice(0, 3))).toEqual([
      ['wanted-1', 'Needle One', "'=danger"],
      ['wanted-2', 'needle two', ''],
    ])
  })

  test('is told about unknown ids', async () => {
    const missing = { params: { id: 'missing' } }
    const changed = await router.admin.call(modelAdminRoutes.update, { ...missing, body: { enabled: true } })
    const removed = await router.admin.call(modelAdminRoutes.remove, missing)
    expect([changed.status, removed.status]).toEqual([404, 404])
    expect(changed.body).toMatchObject({ code: 'not_found' })
  })

  test('removes a model permanently, also as a fallback, but not the guests’ model', async () => {
    await router.model({ id: 'doomed' })
    await router.model({ id: 'leaning', fallbackModels: ['doomed', 'v3'] })
    expect((await router.admin.call(modelAdminRoutes.remove, { params: { id: 'doomed' } })).status).toBe(204)
    const models = await registry()
    expect(models.some((model) => model.id === 'doomed')).toBe(false)
    expect(models.find((model) => model.id === 'leaning')?.fallbackModels).toEqual(['v3'])
    expect((await router.admin.call(modelAdminRoutes.remove, { params: { id: 'v3' } })).status).toBe(409)
  })

  test('toggles a provider, then all', async () => {
    const enabled = async () => (await registry()).filter((model) => model.enabled)
    const off = await router.admin.call(modelAdminRoutes.toggle, { body: { enabled: false, provider: 'google' } })
    expect(off.body.models.filter((model) => !model.enabled && model.provider === 'google')).toHaveLength(2)
    expect((await enabled()).some((model) => model.provider === 'openai')).toBe(true)
    await router.admin.call(modelAdminRoutes.toggle, { body: { enabled: false } })
    expect(await enabled()).toHaveLength(0)
    const on = await router.admin.call(modelAdminRoutes.toggle, { body: { enabled: true } })
    expect(on.body.models.every((model) => model.enabled)).toBe(true)
  })

  test('is told that an update needs a model id', async () => {
    const before = (await router.admin.call(modelAdminRoutes.list)).body
    const body = { enabled: false, name: 'Nobody in particular' }
    const answer = await router.admin.call(modelAdminRoutes.toggle, { body: body as never })
    expect(answer).toMatchObject({ status: 400, body: { error: 'model id required for update' } })
    expect((await router.admin.call(modelAdminRoutes.list)).body).toEqual(before)
  })

  test.each([
    ['an unknown fallback', { fallbackModels: ['nobody'] }, 'fallbackModels'],
    ['itself as fallback', { fallbackModels: ['wrong'] }, 'fallbackModels'],
    ['a fallback twice', { fallbackModels: ['v3', 'v3'] }, 'fallbackModels'],
    ['an image model as fallback', { fallbackModels: ['gpt-image-2'] }, 'fallbackModels'],
    ['an SDK that its provider does not speak', { sdkType: 'anthropic-sdk' }, 'sdkType'],
    ['a name inside the network', { apiEndpoint: 'http://inside.example/v1' }, 'apiEndpoint'],
    ['credentials in the endpoint', { apiEndpoint: 'https://a:b@public.example' }, 'apiEndpoint'],
    ['a query in the endpoint', { apiEndpoint: 'https://public.example/v1?key=1' }, 'apiEndpoint'],
  ] as const)('is refused %s with 422', async (_what, wrong, path) => {
    const answer = await router.admin.call(modelAdminRoutes.create, {
      body: { id: 'wrong', ...fields, ...(wrong as object) },
    })
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({
        code: 'invalid_model_data',
        error: 'Invalid model data',
        details: [expect.objectContaining({ path })],
      }),
    ])
  })

  test.each([
    'http://169.254.169.254/latest',
    'http://[::ffff:169.254.169.254]/',
    'http://168.63.129.16/machine',
    'http://100.100.100.200/latest/meta-data',
    'http://192.0.0.192/latest',
    'http://[fd00:ec2::254]/latest',
    'http://metadata.google.internal/computeMetadata/v1',
    'http://models.localhost/v1',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://0/',
    'http://[::]/',
    'http://[::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://100.64.0.1/',
    'http://10.0.0.1:11434/v1',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
  ])('cannot point a model at %s', async (apiEndpoint) => {
    const strict = await guarded
    const answer = await strict.admin.call(modelAdminRoutes.create, { body: { id: 'ssrf', ...fields, apiEndpoint } })
    expect([answer.status, (answer.body as unknown as { code: string }).code]).toEqual([422, 'invalid_model_data'])
  })

  test.each(['file:///etc/passwd', 'gopher://example.org', 'ftp://example.org'])(
    'cannot use the scheme of %s',
    async (url) => {
      const answer = await router.admin.call(modelAdminRoutes.create, {
        body: { id: 'ssrf', ...fields, apiEndpoint: url },
      })
      expect(answer.status).toBe(400)
    },
  )
})

let guarded: Promise<GivenRouter>
beforeAll(() => {
  guarded = givenRouter({ allowedPrivateHosts: [] })
})
afterAll(async () => (await guarded).stop())

test('auth has a toggle of a provider undone, once: the changed models are restored, in one act that names them', async () => {
  const off = await router.model({ id: 'off-before', provider: 'anthropic', sdkType: 'anthropic-sdk', enabled: false })
  await router.admin.call(modelAdminRoutes.toggle, { body: { enabled: false, provider: 'anthropic' } })
  const toggled = () => acts.find(({ data }) => data.action === 'models.toggled' && data.target === 'anthropic')
  await expect.poll(toggled).toBeDefined()
  const { id: entryId, data } = toggled() as NonNullable<ReturnType<typeof toggled>>
  const { models: named } = data.after as { models: string[] }
  expect(named).not.toContain(off.id)
  const act = { entryId, actorId: 'admin-1', action: 'models.toggled' }
  const body = { ...act, target: 'anthropic', before: null, after: null }
  const undo = (undone = false) =>
    as(servicePrincipal('auth')).call(modelInternalRoutes.undo, { body: { ...body, undone } })
  expect(await undo()).toMatchObject({
    status: 200,
    body: { target: 'anthropic', before: { enabled: false }, after: { enabled: true, count: named.length } },
  })
  const enabled = (await registry()).filter(({ provider, enabled }) => provider === 'anthropic' && enabled)
  expect(enabled.map(({ id }) => id).sort()).toEqual([...named].sort())
  expect(await undo()).toMatchObject({ status: 409, body: { code: 'conflict', details: [{ path: 'enabled' }] } })
  const models = expect.arrayContaining(named.map((id) => ({ id, enabled: true })))
  const refused = { error: 'This has already been undone.', current: { models } }
  expect(await undo(true)).toMatchObject({ status: 409, body: refused })
  const wrong = { ...body, action: 'model.deleted' }
  expect(await as(servicePrincipal('auth')).call(modelInternalRoutes.undo, { body: wrong })).toMatchObject({
    status: 422,
    body: { code: 'not_reversible' },
  })
})

test('auth has an added or removed price undone, unless the price has changed since', async () => {
  const { id } = await router.model({ id: 'priced' })
  const change = async (body: { inputPrice: number | null; outputPrice?: number }): Promise<string> => {
    const { version } = (await router.admin.call(modelAdminRoutes.update, { params: { id }, body })).body.model
    const told = () =>
      acts.find(({ data }) => data.target === id && (data.after as { version: number }).version === version)
    await expect.poll(told).toBeDefined()
    return (told() as NonNullable<ReturnType<typeof told>>).id
  }
  const undo = (entryId: string) => {
    const body = { entryId, actorId: 'admin-1', action: 'model.changed', target: id, before: null, after: null }
    return as(servicePrincipal('auth')).call(modelInternalRoutes.undo, { body })
  }
  const pricesOf = async () => {
    const model = (await registry()).find((one) => one.id === id)
    return [model?.inputPrice, model?.outputPrice]
  }
  const added = await change({ inputPrice: 5, outputPrice: 7 })
  expect((await undo(added)).status).toBe(200)
  expect(await pricesOf()).toEqual([undefined, undefined])
  await change({ inputPrice: 9 })
  const taken = await change({ inputPrice: null })
  await change({ inputPrice: 11 })
  expect(await undo(taken)).toMatchObject({ status: 409, body: { details: [{ path: 'inputPrice' }] } })
  await change({ inputPrice: null })
  expect((await undo(taken)).status).toBe(200)
  expect(await pricesOf()).toEqual([9, undefined])
})

test('every change is signalled to all services, and so is its undo', async () => {
  const signals: unknown[] = []
  onTestFinished(router.signal.subscribe('models-changed', (told) => signals.push(told)))
  await router.model({ id: 'signalled' })
  await router.admin.call(modelAdminRoutes.update, { params: { id: 'signalled' }, body: { name: 'Other' } })
  const change = () => acts.find(({ data }) => data.action === 'model.changed' && data.target === 'signalled')
  await expect.poll(change).toBeDefined()
  const undone = { entryId: change()?.id ?? '', action: 'model.changed', target: 'signalled' }
  const body = { ...undone, actorId: 'admin-1', before: null, after: null }
  expect((await as(servicePrincipal('auth')).call(modelInternalRoutes.undo, { body })).status).toBe(200)
  await router.admin.call(modelAdminRoutes.toggle, { body: { enabled: true } })
  await router.admin.call(modelAdminRoutes.remove, { params: { id: 'signalled' } })
  await expect.poll(() => signals).toHaveLength(5)
})

test('the internal view of a model has what chat needs, and nothing secret', async () => {
  const chat = as(servicePrincipal('chat'))
  const { body, text } = await chat.call(modelInternalRoutes.info, { params: { id: 'v3' } })
  expect(body).toMatchObject({ id: 'v3', enabled: true, modelType: 'text', creditsPerMessage: 1 })
  expect(text).not.toMatch(/apiEndpoint|customHeaders|apiModelName/)
  expect((await chat.call(modelInternalRoutes.info, { params: { id: 'missing' } })).status).toBe(404)
})

describe('callers without the right', () => {
  test.each(Object.values({ ...modelAdminRoutes, ...modelInternalRoutes }))(
    'are refused $method $path',
    async (route) => {
      const options = { params: { id: 'v3' }, body: {} }
      const statuses = await Promise.all(
        [userPrincipal(), guestPrincipal(), userPrincipal({ rights: { isAdmin: true, isBanned: true } })].map(
          async (principal) => (await as(principal).call(route as typeof modelAdminRoutes.update, options)).status,
        ),
      )
      const unsigned = await apiClient(router.url).call(route as typeof modelAdminRoutes.update, options)
      for (const status of [...statuses, unsigned.status]) expect([401, 403]).toContain(status)
    },
  )
})

test.each(Object.values({ ...modelRoutes, ...modelAdminRoutes, ...modelInternalRoutes }))(
  'invalid input to $method $path changes nothing',
  async (route) => {
    const before = await registry()
    const caller = route.access === 'service' ? as(servicePrincipal('chat')) : router.admin
    for (const { name, request } of badInputCases(route, { params: { id: 'missing' } })) {
      const answer = await caller.send(request.method, request.path, request)
      expect(answer.status, name).toSatisfy((status: number) => status >= 400 && status < 500)
      expect(answer.body, name).toMatchObject({ error: expect.any(String), code: expect.any(String) })
    }
    expect(await registry()).toEqual(before)
  },
)
