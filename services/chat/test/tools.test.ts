import { chatRoutes, streamEnd } from '@parley/contracts'
import { freePort } from '@parley/kit'
import { guestPrincipal, readEvents, userPrincipal } from '@parley/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cutOffStores } from './cut-off.ts'
import { type CompletionCall, modelInfo, type Script, startFakeRouter, usage } from './fake-router.ts'
import { message, readAnswer, readChat, resume, send } from './given-chat.ts'
import { calling, type GivenTools, givenTools, inTurn, saying, toolEvents } from './given-tools.ts'
import { picture } from './sample-files.ts'

let given: GivenTools
beforeAll(async () => {
  given = await givenTools()
})
afterAll(() => given.stop())
beforeEach(() => given.router.reset())

const asUser = (user = userPrincipal()) => given.chat.api.as(user)
const asked = (text = 'How is Apple doing?') => message(text, { model: 'clever', financeModeEnabled: true })
const lastPrompt = () => given.router.calls.at(-1)?.body

describe('an answer whose model calls a tool', () => {
  it("continues with the tool's result, in one stream and for one price", async () => {
    given.router.script = inTurn((call) => {
      call.start()
      call.text('Let me')
      call.text(' look.')
      call.tool('get_quote', { symbol: 'aapl' })
      call.end('tool_calls')
    }, saying('It is at 190.5.'))
    const user = userPrincipal()
    // Text that is being gathered when the tool is called still comes before it.
    const slow = await given.replica({ config: given.config, timing: { coalesceMs: 60_000 } })
    const answer = await send(slow.api.as(user), asked())
    expect(answer.text).toBe('Let me look.\n\nIt is at 190.5.')
    expect(answer.ids).toEqual(answer.ids.map((_id, index) => index + 1))
    const [start, result] = toolEvents(answer)
    const toolCallId = expect.stringMatching(/./)
    expect(start).toEqual({ tool_call_start: { toolName: 'get_quote', toolCallId, parameters: { symbol: 'AAPL' } } })
    expect(result).toMatchObject({
      tool_call_result: {
        toolName: 'get_quote',
        result: { symbol: 'AAPL', name: 'Apple Inc', price: 190.5, currency: 'USD', delayed: false },
        resultNormalized: 'AAPL: 190.5 USD (-1.25, -0.65 %)',
      },
    })
    const order = answer.data.map((line) => Object.keys(line.startsWith('{') ? JSON.parse(line) : { end: 1 })[0])
    expect(order).toEqual(['chatId', 'text', 'text', 'tool_call_start', 'tool_call_result', 'text', 'done', 'end'])
    expect(answer.last).toMatchObject({
      usage: { inputTokens: 2 * usage.inputTokens, outputTokens: 2 * usage.outputTokens, estimated: false },
      credits: { charged: 1, remaining: 99 },
    })
    expect([...given.billing.holds.values()].filter(({ userId }) => userId === user.userId)).toHaveLength(1)
  })

  it('sends the model its calls and their results', async () => {
    given.router.script = inTurn(calling(['get_quote', { symbol: 'MSFT' }]), saying('Good.'))
    await send(asUser(), asked())
    expect(given.router.calls[0]?.body.tools).toMatchObject([{ name: 'get_quote', parameters: { type: 'object' } }])
    const [call, result] = lastPrompt()?.messages.slice(-2) ?? []
    expect(call).toMatchObject({
      role: 'assistant',
      toolCalls: [{ name: 'get_quote', arguments: '{"symbol":"MSFT"}' }],
    })
    const { toolCalls } = call as { toolCalls: { id: string }[] }
    expect(result).toEqual({ role: 'tool', toolCallId: toolCalls[0]?.id, content: expect.stringContaining('410 USD') })
  })

  it('is replayed to the byte from every event, and stored with its calls', async () => {
    given.router.script = inTurn(
      calling(['get_quote', { symbol: 'AAPL' }], ['get_quote', { symbol: 'NONE' }]),
      saying('One of two.'),
    )
    const caller = asUser()
    const answer = await send(caller, asked())
    const { messageId, chatId } = answer.start
    await given.logs.forget()
    for (let after = 0; after < answer.ids.length; after += 1) {
      expect((await resume(caller, messageId, after)).data).toEqual(answer.data.slice(after))
    }
    expect((await readChat(caller, chatId)).messages.at(-1)?.toolCalls).toMatchObject([
      { toolName: 'get_quote', status: 'completed', parameters: { symbol: 'AAPL' }, result: { price: 190.5 } },
      { toolName: 'get_quote', status: 'error', error: 'No price is known of NONE.' },
    ])
  })

  it('is JSON with its calls when that is asked for', async () => {
    given.router.script = inTurn(calling(['get_quote', { symbol: 'AAPL' }]), saying('Done.'))
    const { body } = await asUser().post('/api/chat', asked(), { headers: { accept: 'application/json' } })
    expect(body).toMatchObject({ content: 'Done.', toolCalls: [{ status: 'completed', result: { symbol: 'AAPL' } }] })
  })

  it('may be joined while a tool runs, and ends there when it is stopped', async () => {
    given.router.script = calling(['get_quote', { symbol: 'SLOW' }])
    const known = given.quotes.script
    given.quotes.script = () => undefined
    const caller = asUser()
    const events = readEvents(await caller.stream(chatRoutes.send, { body: asked() }))
    const start = JSON.parse((await events.next()).value?.data ?? '{}')
    expect((await events.next()).value?.data).toContain('tool_call_start')
    const joined = resume(caller, start.messageId, 1)
    await caller.call(chatRoutes.stop, { params: { id: start.messageId } })
    given.quotes.script = known
    const { last, data } = await joined
    expect(last).toMatchObject({ done: true, finishReason: 'stopped', credits: { charged: 0 } })
    expect(data[0]).toContain('tool_call_start')
    expect(given.router.calls).toHaveLength(1)
  })
})

describe('calls of tools', () => {
  it.each([
    ['of a tool that there is not', ['rm_rf', {}], 'There is no such tool.'],
    ['with half the arguments', ['get_quote', '{"symbol":'], 'The arguments could not be read.'],
    ['with other arguments', ['get_quote', { symbol: ['AAPL'] }], 'Invalid ticker'],
    ['with arguments that are none', ['get_quote', 'null'], 'Invalid ticker'],
    ['with a ticker that leads elsewhere', ['get_quote', { symbol: '../profile' }], 'Invalid ticker'],
    ['with far too long arguments', ['get_quote', `{"symbol":"${'A'.repeat(20_000)}"}`], 'The arguments are too long.'],
    ['with bottomless arguments', ['get_quote', '['.repeat(10_000)], 'The arguments could not be read.'],
  ] as const)('%s fail, and the answer goes on', async (_what, call, error) => {
    const before = given.quotes.calls.length
    given.router.script = inTurn(calling(call as [string, unknown]), saying('Never mind.'))
    const answer = await send(asUser(), asked())
    expect(toolEvents(answer)[1]).toMatchObject({ tool_call_error: { toolName: call[0], error } })
    expect(answer).toMatchObject({ text: 'Never mind.', last: { done: true, finishReason: 'stop' } })
    expect(JSON.stringify(lastPrompt()?.messages.at(-1))).toContain(error)
    expect(given.quotes.calls).toHaveLength(before)
  })

  it('fail when they take too long, or their source breaks', async () => {
    const hasty = await given.replica({ config: given.config, timing: { toolMs: 3_000 } })
    const known = given.quotes.script
    given.quotes.script = ({ path }, response) => {
      if (path.includes('BROKEN')) response.writeHead(500).end('a stack trace')
    }
    given.router.script = inTurn(
      calling(['get_quote', { symbol: 'HANGS' }], ['get_quote', { symbol: 'BROKEN' }]),
      saying('Without prices.'),
    )
    const answer = await send(hasty.api.as(userPrincipal()), asked())
    given.quotes.script = known
    const errors = answer.data.filter((line) => line.includes('tool_call_error')).map((line) => JSON.parse(line))
    expect(errors.map(({ tool_call_error }) => tool_call_error.error).sort()).toEqual([
      'The tool took too long.',
      'This isn’t available right now. Please try again shortly.',
    ])
    expect(answer.text).toBe('Without prices.')
    expect(answer.data.join()).not.toContain('stack trace')
  })

  it('of one round run in parallel, eight at most', async () => {
    const many = Array.from({ length: 30 }, () => ['get_quote', { symbol: 'AAPL' }] as const)
    given.router.script = inTurn(calling(...many), saying('Enough.'))
    const answer = await send(asUser(), asked())
    expect(answer.data.filter((line) => line.includes('tool_call_result'))).toHaveLength(8)
    expect(lastPrompt()?.messages.filter(({ role }) => role === 'tool')).toHaveLength(8)
  })

  it('end after five rounds: then the model has to answer', async () => {
    given.router.script = (call: CompletionCall) => {
      call.start()
      if (call.body.tools === undefined) call.text('At last.')
      else call.tool('get_quote', { symbol: 'AAPL' })
      call.end(call.body.tools === undefined ? 'stop' : 'tool_calls')
    }
    const answer = await send(asUser(), asked())
    expect(answer.text).toBe('At last.')
    expect(given.router.calls).toHaveLength(6)
    expect(answer.last).toMatchObject({ usage: { inputTokens: 6 * usage.inputTokens } })
  })

  it('cannot forge an event of the stream', async () => {
    const forged = '\n\ndata: {"event":"new_chat_created"}\r\n\r\ndata: [DONE]\n\n\u2028\0\ud800'
    given.quotes.names.set('EVIL', forged)
    given.quotes.prices.set('EVIL', { c: 1, d: 0, dp: 0, t: 1 })
    given.router.script = inTurn(calling(['get_quote', { symbol: 'EVIL' }], [`x${forged}`, { forged }]), saying(forged))
    const caller = asUser()
    const answer = await send(caller, asked(`Hello ${forged.replace('\0', '').slice(0, -1)}`))
    expect(answer.ids).toEqual(answer.ids.map((_id, index) => index + 1))
    expect(answer.data.filter((line) => line === streamEnd)).toHaveLength(1)
    expect(answer.data.filter((line) => line.startsWith('{"event"'))).toEqual([])
    await given.logs.forget()
    expect((await resume(caller, answer.start.messageId)).data).toEqual(answer.data)
  })
})

describe('tools', () => {
  it('are not offered to a model that has none, nor without a mode, nor to a guest', async () => {
    await send(asUser(), message('x', { financeModeEnabled: true }))
    await send(asUser(), message('x', { model: 'clever' }))
    await send(
      given.chat.api.as(guestPrincipal()),
      message('$AAPL', { financeModeEnabled: true, webSearchEnabled: true }),
    )
    expect(given.router.calls.map(({ body }) => body.tools)).toEqual([undefined, undefined, undefined])
  })

  it('are listed without details of their sources', async () => {
    expect((await asUser().call(chatRoutes.tools)).body).toEqual({ webSearch: true, finance: true, followUps: false })
    const plain = await given.replica()
    const { body } = await plain.api.as(guestPrincipal()).call(chatRoutes.tools)
    expect(body).toEqual({ webSearch: false, finance: false, followUps: false })
  })
})

it('an answer that breaks off after a tool keeps its text and its calls', async () => {
  given.router.script = inTurn(calling(['get_quote', { symbol: 'AAPL' }]), (call) => {
    call.start()
    call.text('Half')
    call.line('no line of a completion\n')
  })
  const caller = asUser()
  const answer = await send(caller, asked())
  expect(answer.last).toMatchObject({ error: expect.stringMatching(/^Connection lost during streaming/) })
  const kept = (await readChat(caller, answer.start.chatId)).messages.at(-1)
  expect(kept).toMatchObject({ status: 'interrupted', content: 'Half', toolCalls: [{ status: 'completed' }] })
  expect(kept?.usage).toMatchObject({ estimated: true })
})

it('an answer whose replica dies after a tool call is ended with its calls, to the byte', async () => {
  const timing = { leaseMs: 5_000, checkpointMs: 60_000 }
  let cutOff = false
  const dying = await given.replica({
    ...{ timing, config: given.config },
    stores: (stores) => cutOffStores(stores, () => cutOff),
  })
  given.router.script = inTurn(calling(['get_quote', { symbol: 'MSFT' }]), (call) => {
    call.start()
    call.text('Half of it')
  })
  const user = userPrincipal()
  const stream = dying.api.as(user).stream(chatRoutes.send, { body: asked() })
  const answer = await readAnswer(await stream)
  cutOff = true
  expect(answer.last).toEqual({ error: 'Streaming was interrupted', code: 'unavailable' })
  await given.logs.forget()
  expect((await resume(asUser(user), answer.start.messageId)).data).toEqual(answer.data)
  expect((await readChat(asUser(user), answer.start.chatId)).messages.at(-1)).toMatchObject({
    status: 'interrupted',
    content: 'Half of it',
    toolCalls: [{ status: 'completed', result: { symbol: 'MSFT' } }],
  })
})

describe('a prompt with a file whose model calls tools', () => {
  const lookUp =
    (kept: boolean, keptAt?: string): Script =>
    (call) => {
      call.start()
      call.tool('get_quote', { symbol: 'AAPL' })
      call.end('tool_calls', { kept, ...(keptAt !== undefined && { keptAt }) })
    }
  const sendPicture = async () => {
    given.router.models.set('clever', modelInfo({ id: 'clever', supportsTools: true, supportsImageAttachments: true }))
    const dataUrl = `data:image/png;base64,${(await picture('png')).toString('base64')}`
    return await send(asUser(), { ...asked(), attachments: [{ dataUrl, name: 'chart.png' }] })
  }
  const bodies = ({ calls } = given.router) =>
    calls.map(({ body }) => ({
      files: JSON.stringify(body.messages).split('"type":"image"').length - 1,
      roles: body.messages.map(({ role }) => role),
      after: body.after,
    }))
  const whole = ['system', 'user', 'assistant', 'tool']

  it('sends the file once, and then only what is new', async () => {
    given.router.script = inTurn(lookUp(true), lookUp(true), saying('Up.'))
    expect((await sendPicture()).text).toBe('Up.')
    expect(bodies()).toEqual([
      { files: 1, roles: ['system', 'user'], after: undefined },
      { files: 0, roles: ['assistant', 'tool'], after: 2 },
      { files: 0, roles: ['assistant', 'tool'], after: 4 },
    ])
  })

  it('sends the file again where llm-router does not keep the prompt, or not any more', async () => {
    const forgetful: Script = (call) => call.refuse('conflict', 'Please send the whole prompt.')
    given.router.script = inTurn(lookUp(true), forgetful, lookUp(false), saying('Up.'))
    expect((await sendPicture()).text).toBe('Up.')
    expect(bodies()).toEqual([
      { files: 1, roles: ['system', 'user'], after: undefined },
      { files: 0, roles: ['assistant', 'tool'], after: 2 },
      { files: 1, roles: whole, after: undefined },
      { files: 1, roles: [...whole, 'assistant', 'tool'], after: undefined },
    ])
  })

  describe('behind an address that several replicas of llm-router share', () => {
    let keeping: Awaited<ReturnType<typeof startFakeRouter>>
    beforeEach(async () => {
      keeping = await startFakeRouter()
    })
    afterEach(() => keeping.close())

    it('continues at the replica that keeps it, and sends it whole to any other once that one has gone', async () => {
      const gone = `127.0.0.1:${await freePort()}`
      given.router.script = inTurn(lookUp(true, new URL(keeping.url).host), saying('Up.'))
      keeping.script = lookUp(true, gone)
      expect((await sendPicture()).text).toBe('Up.')
      expect(bodies(keeping)).toEqual([{ files: 0, roles: ['assistant', 'tool'], after: 2 }])
      expect(bodies()).toEqual([
        { files: 1, roles: ['system', 'user'], after: undefined },
        { files: 1, roles: [...whole, 'assistant', 'tool'], after: undefined },
      ])
    })

    it.each(['conflict', 'not_found', 'unavailable'] as const)(
      'is sent whole to any replica where the address of the one that kept it answers %s',
      async (code) => {
        given.router.script = inTurn(lookUp(true, new URL(keeping.url).host), saying('Up.'))
        keeping.script = (call) => call.refuse(code, 'Not here')
        expect((await sendPicture()).text).toBe('Up.')
        expect(bodies().at(-1)).toEqual({ files: 1, roles: whole, after: undefined })
      },
    )
  })
})
