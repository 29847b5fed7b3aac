import { request as httpRequest } from 'node:http'
import { type AttachmentInput, type Credits, chatRoutes } from '@parley/contracts'
import { type ApiCaller, collect, readEvents } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

/** A red picture of four pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWP4z8DwnwGM/zMwAAAf7gP9qS/A4gAAAABJRU5ErkJggg==',
  'base64',
)
const objects = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
]
/** A PDF of one empty page, without a table of contents: readers find its parts. */
const pdf = Buffer.from(
  `%PDF-1.7\n${objects.map((object, nth) => `${nth + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R >>\n%%EOF\n`,
)

let world: World
let ann: Person
beforeAll(async () => {
  world = await openWorld()
  await world.settings(unlimited)
  ann = await world.register()
})
afterAll(() => world.close())
beforeEach(() => world.provider.reset())

const upload = async (caller: ApiCaller, raw: Buffer, name: string) => {
  const headers = { 'x-file-name': name, 'content-type': 'application/octet-stream' }
  const answer = await caller.call(chatRoutes.upload, { raw, headers })
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as unknown as { attachment: { id: string; url: string } }).attachment
}
const send = async (caller: ApiCaller, model: string, attachments: AttachmentInput[]) => {
  const answer = await caller.open('POST', '/api/chat', { body: { message: 'What is it?', model, attachments } })
  expect(answer.status).toBe(200)
  await collect(readEvents(answer))
}

it.each([
  ['gpt-5.5', 'openai'],
  ['claude-haiku-5-5', 'anthropic'],
])("files reach %s in its provider's format", async (model, wire) => {
  const picture = await upload(ann.api, png, 'red.png')
  const report = await upload(ann.api, pdf, 'report.pdf')
  await send(ann.api, model, [{ id: picture.id }, { id: report.id }])
  const call = await world.provider.call(1)
  expect(call.wire).toBe(wire)
  const question = call.prompt.messages.at(-1)
  expect(question).toMatchObject({ role: 'user', text: 'What is it?' })
  expect(question?.files.map(({ type }) => type)).toEqual(['image/png', 'application/pdf'])
  expect(question?.files[1]?.base64).toBe(pdf.toString('base64'))
})

it('files are readable by their owner alone, and no browser runs them', async () => {
  const { url } = await upload(ann.api, png, 'red.png')
  const own = await ann.api.get(url)
  expect(own).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
  })
  expect(own.headers['cache-control']).toBe('private, max-age=31536000, immutable')
  expect(own.headers['content-security-policy']).toContain('sandbox')
  expect(String(own.headers.vary).toLowerCase()).toContain('authorization')
  const bob = await world.register()
  expect((await bob.api.get(url)).status).toBe(404)
  expect((await world.at().get(url)).status).toBe(401)
  const stolen = { message: 'Mine', model: 'gpt-5.5', attachments: [{ url }] }
  expect((await bob.api.post('/api/chat', stolen)).status).toBe(404)
  expect(world.provider.calls).toEqual([])
})

it('bodies beyond their limits are refused, whether or not they say so', async () => {
  const big = Buffer.alloc(12 * 1024 * 1024)
  const said = await ann.api.call(chatRoutes.upload, { raw: big })
  expect(said).toMatchObject({ status: 413, body: { code: 'payload_too_large', requestId: expect.any(String) } })
  const url = new URL(world.replicas[0]?.url ?? '')
  const unsaid = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { authorization: `Bearer ${ann.token}`, 'transfer-encoding': 'chunked' }
    const sending = httpRequest(new URL('/api/chat/files', url), { method: 'POST', headers })
    sending.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sending.once('error', reject)
    sending.end(big)
  })
  expect(unsaid).toBe(413)
  const guest = await world.at().post('/api/chat', { message: 'x'.repeat(2 * 1024 * 1024), model: 'v3' })
  expect(guest).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
})

it('an image is made by its provider, paid once and part of its chat', async () => {
  const before = ((await ann.api.get('/api/user/credits')).body as Credits).remaining
  world.provider.reply({ image: { base64: png.toString('base64') } })
  const { body: chat } = await ann.api.post('/api/chat/history', { title: 'Pictures', model: 'v3' })
  const { chatId } = chat as { chatId: string }
  const headers = { 'idempotency-key': 'one-picture' }
  const ask = () => ann.api.call(chatRoutes.image, { body: { prompt: 'Four red pixels', chatId }, headers })
  const made = await ask()
  expect(made, made.text).toMatchObject({ status: 200, body: { model: 'gpt-image-2', creditsCharged: 10 } })
  expect((await ask()).body).toEqual(made.body)
  expect(world.provider.calls).toHaveLength(1)
  expect(world.provider.calls[0]).toMatchObject({ wire: 'images' })
  expect((await ann.api.get('/api/user/credits')).body).toMatchObject({ remaining: before - 10, held: 0 })
  expect((await ann.api.get(made.body.imageUrl)).headers['content-type']).toBe('image/png')
  expect((await ann.api.get(`/api/chat/history/${chatId}`)).body).toMatchObject({
    messages: [{ content: 'Four red pixels' }, { attachments: [{ url: made.body.imageUrl }], credits: 10 }],
  })
})
