import { request as httpRequest } from 'node:http'
import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, guestPrincipal, userPrincipal } from '@parley/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GivenChat, givenChat, identity, type Replica } from './given-chat.ts'
import {
  bombPdf,
  emptyPdf,
  endlessPdf,
  lockedPdf,
  longPdf,
  movingGif,
  pdfSaying,
  picture,
  plainPng,
  sidewaysPhoto,
} from './sample-files.ts'
import { startSlowSenders } from './slow-senders.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())

const asUser = (user = userPrincipal()): ApiCaller => chat.api.as(user)
const upload = (caller: ApiCaller, raw: Buffer, name = 'a.png', headers: Record<string, string> = {}) =>
  caller.call(chatRoutes.upload, {
    raw,
    headers: { 'content-type': 'application/octet-stream', 'x-file-name': encodeURIComponent(name), ...headers },
  })
interface Uploaded {
  readonly attachment: { id: string; url: string; name: string; mimeType: string; width?: number; height?: number }
}
const uploaded = async (caller: ApiCaller, raw: Buffer, name?: string) => {
  const answer = await upload(caller, raw, name)
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as unknown as Uploaded).attachment
}
const download = async (caller: ApiCaller, id: string, query = '', headers: Record<string, string> = {}) => {
  const answer = await caller.open('GET', `/api/chat/files/${id}${query}`, { headers })
  return { ...answer, bytes: Buffer.from(await answer.body.arrayBuffer()) }
}

describe('an uploaded file', () => {
  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/png'],
    ['webp', 'image/png'],
    ['gif', 'image/png'],
  ] as const)('that is a %s is known by its content', async (kind, claimed) => {
    const caller = asUser()
    const raw = await picture(kind)
    const answer = await upload(caller, raw, `photo of me.${kind}`, { 'content-type': claimed })
    const { attachment } = answer.body as unknown as Uploaded
    const mimeType = kind === 'png' || kind === 'gif' ? 'image/png' : expect.stringMatching(/^image\/(png|jpeg)$/)
    const expected = { type: 'image', name: `photo of me.${kind}`, width: 40, height: 20, detail: 'high', mimeType }
    expect(attachment).toMatchObject({ ...expected, url: `/api/chat/files/${attachment.id}` })
    expect(attachment.id).toMatch(/^[0-9a-f]{32}$/)
    const { status, headers, bytes } = await download(caller, attachment.id)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe(attachment.mimeType)
    expect((await sharp(bytes).metadata()).width).toBe(40)
  })

  it('that is a PDF is kept as it is', async () => {
    const caller = asUser()
    const pdf = pdfSaying('Hello')
    const attachment = await uploaded(caller, pdf, 'report.pdf')
    expect(attachment).toMatchObject({ type: 'file', mimeType: 'application/pdf', pages: 1, size: pdf.length })
    const { headers, bytes } = await download(caller, attachment.id)
    expect(bytes).toEqual(pdf)
    expect(headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''report\.pdf$/)
    expect((await download(caller, attachment.id, '?size=thumb')).status).toBe(404)
  })

  it('is stored upright, scaled down and without its location', async () => {
    const caller = asUser()
    const photo = await sidewaysPhoto()
    expect(photo.includes('secret-place')).toBe(true)
    const small = await uploaded(caller, photo, 'p.jpg')
    expect(small).toMatchObject({ width: 20, height: 40, mimeType: 'image/jpeg' })
    const { bytes } = await download(caller, small.id)
    expect(bytes.includes('secret-place')).toBe(false)
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
    const large = await uploaded(caller, plainPng(5_000, 1_000))
    expect(large).toMatchObject({ width: 2_048, height: 410 })
    const thumb = await download(caller, large.id, '?size=thumb')
    expect(thumb.headers['content-type']).toBe('image/webp')
    expect(await sharp(thumb.bytes).metadata()).toMatchObject({ format: 'webp', width: 512 })
  })

  it('is served so that no browser runs it, and revalidated with 304', async () => {
    const caller = asUser()
    const { id } = await uploaded(caller, await picture('png'), 'ä"\n.png')
    const { headers } = await download(caller, id)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': "inline; filename*=UTF-8''%C3%A4%22.png",
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'authorization',
    })
    const again = await download(caller, id, '', { 'if-none-match': String(headers.etag) })
    expect(again.status).toBe(304)
    expect(again.bytes).toHaveLength(0)
  })

  it('is stored once for its owner, under the name of each sending', async () => {
    const user = userPrincipal()
    const raw = await picture('png', { colour: '#123456' })
    const first = await uploaded(asUser(user), raw, 'first.png')
    expect(await uploaded(asUser(user), raw, 'second.png')).toEqual({ ...first, name: 'second.png' })
    expect((await uploaded(asUser(), raw)).id).not.toBe(first.id)
  })

  it('of another user is answered like a missing one (404)', async () => {
    const { id } = await uploaded(asUser(), await picture('png'))
    const stranger = asUser()
    const [foreign, random] = await Promise.all(
      [id, 'f'.repeat(32)].map((each) =>
        stranger.get(`/api/chat/files/${each}`, { headers: { 'if-none-match': `"${id}-full"` } }),
      ),
    )
    expect(foreign?.status).toBe(404)
    const { requestId: _own, ...said } = (foreign?.body ?? {}) as Record<string, unknown>
    expect(random?.body).toMatchObject(said)
    expect((await chat.api.as(guestPrincipal()).get(`/api/chat/files/${id}`)).status).toBe(401)
    expect((await upload(chat.api.as(guestPrincipal()), await picture('png'))).status).toBe(401)
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/etc/hosts', 'hosts'],
    ['a\u0000b\u001f.png', 'ab.png'],
    ['ann\u202egnp.exe', 'anngnp.exe'],
    ['x'.repeat(4_096), 'x'.repeat(255)],
    ['../..', 'file'],
    ['', 'file'],
  ])('named %j is shown as %j', async (name, shown) => {
    expect((await uploaded(asUser(), await picture('png'), name)).name).toBe(shown)
  })
})

describe('an upload', () => {
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const zip = Buffer.concat([
    Buffer.from('PK\x03\x04', 'latin1'),
    Buffer.alloc(100),
    Buffer.from('PK\x05\x06', 'latin1'),
    Buffer.alloc(18),
  ])
  const cases: [string, () => Buffer | Promise<Buffer>, RegExp][] = [
    ['HTML', () => html, /isn’t a supported file\. Use PNG/],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'), /isn’t a supported/],
    ['a ZIP', () => zip, /isn’t a supported/],
    ['a PDF that is a ZIP, too', () => Buffer.concat([pdfSaying('x'), zip, Buffer.from('%%EOF')]), /isn’t a supported/],
    ['HTML with a PDF inside', () => Buffer.concat([html, pdfSaying('x')]), /isn’t a supported/],
    ['nothing', () => Buffer.alloc(0), /isn’t a supported/],
    ['half a picture', async () => (await picture('png', { width: 400, height: 400 })).subarray(0, 80), /is damaged/],
    ['a picture of 900 megapixels', () => plainPng(30_000, 30_000), /too large an image/],
    ['a film', () => movingGif(10_000), /more than 1000 frames/],
    ['a locked PDF', lockedPdf, /protected by a password/],
    ['an endless PDF', endlessPdf, /is damaged/],
    ['a PDF of no page', () => emptyPdf(0), /is damaged/],
    ['a PDF of fewer than no pages', () => emptyPdf(-99_999_999_999), /is damaged/],
    ['a PDF of 100000 pages', () => longPdf(100_000), /too many pages/],
    ['a PDF without one', () => Buffer.from('%PDF-1.7\nnothing\n%%EOF'), /is damaged/],
  ]
  it.each(cases)('of %s is refused', async (_name, make, reason) => {
    const answer = await upload(asUser(), await make(), 'photo.heic')
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media' } })
    expect((answer.body as unknown as { error: string }).error).toMatch(/^“photo\.heic” /)
    expect((answer.body as unknown as { error: string }).error).toMatch(reason)
  })

  it("of PDFs that unpack to a gigabyte, of the largest images that are read and of larger ones at once stays within the container's memory, while others are served", async () => {
    const caller = asUser()
    const bomb = await bombPdf()
    const huge = { width: 5_200, height: 5_000 }
    const images = [await picture('gif', huge), await picture('webp', huge)]
    const largest = await picture('webp', { width: 5_000, height: 5_000 })
    const before = process.memoryUsage().rss
    let most = before
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 5)
    const bombs = ['1', '2'].map((name) => upload(caller, Buffer.concat([bomb, Buffer.from(name)]), `${name}.pdf`))
    const decoded = [asUser(), asUser()].map((each) => upload(each, largest))
    expect((await upload(asUser(), await picture('png'))).status).toBe(201)
    for (const answer of await Promise.all(decoded)) expect(answer).toMatchObject({ status: 201 })
    const refusal = (reason: string) => ({ status: 415, body: { error: expect.stringContaining(reason) } })
    for (const answer of await Promise.all(bombs)) expect(answer).toMatchObject(refusal('is too complex to read'))
    for (const image of images) expect(await upload(caller, image)).toMatchObject(refusal('too large an image'))
    clearInterval(look)
    expect(most - before).toBeLessThan(400 * 1024 * 1024)
    expect((await upload(caller, pdfSaying('still alive'), 'c.pdf')).status).toBe(201)
  })

  it('that is too large is refused, by its announced length and by what arrives (413)', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1)
    const answer = await upload(asUser(), large, 'big.png')
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
    expect((answer.body as unknown as { error: string }).error).toContain('“big.png” is too large')
    const caller = userPrincipal()
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = httpRequest(`${chat.running.url}/api/chat/files`, {
        method: 'POST',
        headers: { 'x-identity': identity.sign(caller), 'transfer-encoding': 'chunked' },
      })
      sending.once('response', (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sending.once('error', reject)
      sending.end(large)
    })
    expect(status).toBe(413)
  })

  it('that is compressed, a form or has a malformed name is refused', async () => {
    const png = await picture('png')
    expect((await upload(asUser(), png, 'a', { 'content-encoding': 'gzip' })).status).toBe(415)
    const form = Buffer.concat([Buffer.from('--x\r\ncontent-disposition: form-data; name="f"\r\n\r\n'), png])
    expect((await upload(asUser(), form, 'a', { 'content-type': 'multipart/form-data; boundary=x' })).status).toBe(415)
    expect((await upload(asUser(), png, 'a', { 'x-file-name': '%E0%A4%A' })).status).toBe(400)
  })

  it('that breaks off harms no later upload', async () => {
    const sending = httpRequest(`${chat.running.url}/api/chat/files`, {
      method: 'POST',
      headers: { 'x-identity': identity.sign(userPrincipal()), 'content-length': '1000000' },
    })
    const closed = new Promise((resolve) => sending.once('error', resolve))
    sending.write(Buffer.alloc(1_000), () => sending.destroy(new Error('left')))
    await closed
    expect((await upload(asUser(), await picture('png'))).status).toBe(201)
  })
})

it.each([
  ['one user', 1, 40],
  ['twenty users of one network', 20, 2],
])('many slow uploads of %s delay no other user there', async (_who, users, each) => {
  const slow = Array.from({ length: users }, () => startSlowSenders(chat, '/api/chat/files', userPrincipal(), each))
  const ends = await Promise.all(slow)
  expect((await upload(asUser(), await picture('png'))).status).toBe(201)
  // Otherwise they would have been waited for.
  expect(ends.map((end) => end())).not.toContain(true)
})

it('a file that is uploaded many times at once is stored once', async () => {
  const user = userPrincipal()
  const raw = await picture('png', { colour: '#654321' })
  const answers = await Promise.all(Array.from({ length: 50 }, () => uploaded(asUser(user), raw)))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
})
