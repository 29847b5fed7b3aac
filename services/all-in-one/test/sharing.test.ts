import { newId } from '@parley/kit'
import { type ApiAnswer, type ApiCaller, collect, readEvents, tinyPng } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, userPassword, type World } from './given.ts'

interface Chat {
  readonly chatId: string
  readonly userMessageId: string
  readonly messageId: string
}

describe('a shared chat', () => {
  let world: World
  let admin: Person
  let owner: Person
  beforeAll(async () => {
    world = await openWorld(2)
    await world.settings(unlimited)
    ;[admin, owner] = [await world.admin(), await world.register()]
  })
  afterAll(() => world.close())

  const ask = async (person: Person, message: string, more: object = {}): Promise<Chat> => {
    const sent = await person.api.open('POST', '/api/chat', { body: { message, model: 'v3', ...more } })
    const [start] = await collect(readEvents(sent))
    return JSON.parse(start?.data ?? '{}')
  }
  const share = async (person: Person, body: object): Promise<{ id: string; url: string }> => {
    const { status, text, body: link } = await person.api.post('/api/share', body)
    expect([200, 201], text).toContain(status)
    return link as { id: string; url: string }
  }
  const view = (id: string, caller: ApiCaller = world.at(1), headers = {}): Promise<ApiAnswer> =>
    caller.get(`/api/share/${id}`, { headers })
  const gone = [404, { error: 'Invalid share link', code: 'not_found' }]
  const isGone = async (id: string): Promise<void> => {
    for (const replica of [0, 1]) {
      await expect.poll(async () => (await view(id, world.at(replica))).status).toBe(404)
      const { status, body } = await view(id, world.at(replica))
      expect([status, body]).toMatchObject(gone)
      const page = await world.at(replica).get(`/s/${id}`)
      expect([page.status, page.text.includes('A secret plan')]).toEqual([404, false])
    }
  }

  it('shows strangers on another replica its texts and model, and nothing about its owner', async () => {
    world.provider.reply({ reasoning: ['Some thoughts'], text: 'A secret plan' })
    const first = await ask(owner, 'What is the plan?')
    const { id, url } = await share(owner, { chatId: first.chatId })
    expect([id, url]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), `/s/${id}`])
    const { status, body, text } = await view(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      title: expect.any(String),
      sharedAt: expect.any(String),
      model: 'v3',
      modelName: 'DeepSeek v3',
      messages: [
        { role: 'user', content: 'What is the plan?', createdAt: expect.any(String) },
        { role: 'assistant', content: 'A secret plan', createdAt: expect.any(String) },
      ],
    })
    for (const hidden of [
      owner.user._id,
      owner.user.username,
      owner.user.email,
      'thoughts',
      first.chatId,
      first.messageId,
    ])
      expect(text).not.toContain(hidden)
    // Later messages are not shown, and the chat itself stays private.
    await ask(owner, 'And then?', { chatId: first.chatId })
    expect((await view(id)).text).not.toContain('And then?')
    const page = await world.at(1).get(url)
    expect([page.status, page.headers['x-robots-tag']]).toEqual([200, 'noindex'])
    for (const path of [url, `/api/share/${id}`]) expect((await world.at(1).send('HEAD', path)).status).toBe(200)
    expect(page.text).toContain('<meta property="og:description" content="What is the plan?" />')
    const { items } = (await owner.api.get('/api/share')).body as { items: { id: string }[] }
    expect(items.find((item) => item.id === id)).toMatchObject({ chatId: first.chatId, views: 2 })
  })

  it('is renewed under its id with the selected messages, and refuses messages of another chat', async () => {
    const [chat, other] = [await ask(owner, 'Mail eve@secret.example'), await ask(owner, 'Another')]
    const link = await share(owner, { chatId: chat.chatId })
    const foreign = { chatId: chat.chatId, messageIds: [chat.messageId, other.messageId] }
    expect((await owner.api.post('/api/share', foreign)).status).toBe(400)
    const chosen = { chatId: chat.chatId, messageIds: [chat.userMessageId] }
    const preview = await owner.api.post('/api/share/preview', chosen)
    const found = [{ kind: 'email', text: 'eve@secret.example', messageId: chat.userMessageId }]
    expect(preview.body).toMatchObject({ found: expect.arrayContaining(found), messages: [{ id: chat.userMessageId }] })
    expect(await share(owner, { ...chosen, redact: ['eve@secret.example'] })).toMatchObject({ id: link.id })
    const { body, text } = await view(link.id)
    expect([(body as { messages: object[] }).messages.length, text.includes('eve@')]).toEqual([1, false])
    expect((await world.at().get(link.url)).text).not.toContain('eve@')
  })

  it('with images includes the generated ones, and no other file of the chat', async () => {
    world.provider.reply({ text: 'Yes' })
    const { chatId } = await ask(owner, 'Draw')
    const headers = { 'content-type': 'application/octet-stream' }
    const raw = Buffer.from(tinyPng, 'base64')
    const uploaded = await owner.api.send('POST', '/api/chat/files', { raw, headers })
    const { id: file } = (uploaded.body as { attachment: { id: string } }).attachment
    world.provider.reply({ image: { base64: tinyPng } })
    const made = await owner.api.post('/api/chat/image', { prompt: 'A dot', chatId })
    expect(made.status, made.text).toBe(200)
    const link = await share(owner, { chatId, includeImages: true })
    const { body, text } = await view(link.id)
    const images = (body as { messages: { images?: { url: string }[] }[] }).messages.flatMap((one) => one.images ?? [])
    expect(text).not.toContain('/api/chat/files')
    const strangers = world.at(1)
    for (const wrong of [file, '0_', `0_${newId()}`, `9_${newId()}`])
      expect((await strangers.get(`/api/share/${link.id}/images/${wrong}`)).status).toBe(404)
    expect((await strangers.get(`/api/chat/files/${file}`)).status).toBe(401)
    expect(images).toHaveLength(1)
    for (const { url } of images) {
      const answer = await strangers.get(url)
      expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringMatching(/^image\//)])
      expect(answer.headers['content-security-policy']).toContain('sandbox')
      // A revoked link's images are shown by no cache.
      expect(answer.headers['cache-control']).toContain('no-store')
    }
    await share(owner, { chatId })
    for (const { url } of images) expect((await strangers.get(url)).status).toBe(404)
  })

  it('with a password is shown to those who know it, and reveals nothing before', async () => {
    const { chatId } = await ask(owner, 'A secret plan')
    const password = 'pässword 1'
    const { id, url } = await share(owner, { chatId, password })
    expect((await view(id)).body).toMatchObject({ code: 'password_required' })
    const page = await world.at().get(url)
    expect([page.status, page.text.includes('A secret plan'), page.text.includes('og:title')]).toEqual([
      200,
      false,
      true,
    ])
    const headers = { 'x-share-password': encodeURIComponent(password) }
    expect((await view(id, world.at(1), headers)).text).toContain('A secret plan')
    expect((await view(id, world.at(1), { 'x-share-password': '%E0%A4' })).status).toBe(400)
    expect(await share(owner, { chatId })).toMatchObject({ id, hasPassword: false })
    expect((await view(id)).status).toBe(200)
  })

  it('is continued in a copy by a user who may see it, and by no one else', async () => {
    const { chatId } = await ask(owner, 'What shall we do?')
    const { id } = await share(owner, { chatId, password: 'let me in' })
    const reader = await world.register()
    const path = `/api/share/${id}/continue`
    expect((await world.at().post(path)).status).toBe(401)
    expect((await reader.api.post(path)).body).toMatchObject({ code: 'password_required' })
    const copied = await reader.api.post(path, undefined, { headers: { 'x-share-password': 'let%20me%20in' } })
    expect(copied.status).toBe(201)
    const copy = (copied.body as { chatId: string }).chatId
    const detail = await reader.api.get(`/api/chat/history/${copy}`)
    expect(detail.body).toMatchObject({
      messages: [{ role: 'user', content: 'What shall we do?' }, { role: 'assistant' }],
    })
    await ask(reader, 'Next', { chatId: copy })
    const own = await owner.api.get(`/api/chat/history/${chatId}`)
    expect((own.body as { messages: object[] }).messages).toHaveLength(2)
  })

  it('ends on every replica when its owner revokes it, deletes the chat, is banned, or is erased', async () => {
    const [revoked, deleted] = [await ask(owner, 'A secret plan'), await ask(owner, 'A secret plan')]
    const { id: one } = await share(owner, { chatId: revoked.chatId })
    const { id: two } = await share(owner, { chatId: deleted.chatId })
    for (const id of [one, two])
      expect([(await view(id)).status, (await view(id, world.at(0))).status]).toEqual([200, 200])
    expect((await owner.api.delete(`/api/share/${one}`)).status).toBe(204)
    await isGone(one)
    expect((await owner.api.delete(`/api/share/${one}`)).status).toBe(404)
    await owner.api.delete(`/api/chat/history/${deleted.chatId}`)
    await isGone(two)
    expect((await owner.api.get('/api/share')).text).not.toContain(two)

    const person = await world.register()
    const { id } = await share(person, { chatId: (await ask(person, 'A secret plan')).chatId })
    expect((await view(id)).status).toBe(200)
    const setBan = (banned: boolean) => admin.api.patch(`/api/admin/users/${person.user._id}`, { banned })
    expect((await setBan(true)).status).toBe(200)
    await isGone(id)
    await setBan(false)
    await expect.poll(async () => (await view(id)).status).toBe(200)
    expect((await person.api.delete('/api/user', { password: userPassword })).status).toBe(202)
    await isGone(id)
    const rows = () => world.query('select from share.share_links where doc ->> $1 = $2', ['ownerId', person.user._id])
    await expect.poll(rows).toEqual([])
  })
})
