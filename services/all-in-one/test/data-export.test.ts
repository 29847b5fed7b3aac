import { buffer } from 'node:stream/consumers'
import { authRoutes, chatRoutes } from '@parley/contracts'
import { createLogger, newId } from '@parley/kit'
import { collect, readEvents, tinyPng, waitUntil } from '@parley/testing'
import { unzip } from '@parley/testing/unzip'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, userPassword, type World } from './given.ts'

const logged: string[] = []
let world: World
beforeAll(async () => {
  const log = createLogger('test', 'trace', { write: (line) => void logged.push(line) })
  world = await openWorld(1, log)
  await world.settings(unlimited)
})
afterAll(() => world.close())

async function say(person: Person, words: string): Promise<void> {
  const model = 'v3'
  const answer = await person.api.stream(chatRoutes.send, { body: { message: words, model } })
  const events = await collect(readEvents(answer))
  expect(
    events.some(({ data }) => data.includes('"done"')),
    JSON.stringify(events),
  ).toBe(true)
}
const upload = async (person: Person, name: string) => {
  const raw = Buffer.from(tinyPng, 'base64')
  const answer = await person.api.call(chatRoutes.upload, { raw, headers: { 'x-file-name': name } })
  return (answer.body as unknown as { attachment: { id: string } }).attachment
}
/** The fragment of a mailed link. */
interface MailedLink {
  readonly id: string
  readonly token: string
}
const download = async ({ id, token }: MailedLink) => {
  const answer = await world.at().stream(authRoutes.downloadDataExport, { params: { id }, body: { token } })
  return { ...answer, bytes: await buffer(answer.body) }
}
async function linkOf(person: Person): Promise<MailedLink> {
  return await waitUntil(async () => {
    const text = await world.mailTo(person.user.email)
    const [, id = '', token = ''] = /http:\/\/parley\.test\/data-export#id=([\w-]+)&token=([\w-]+)/.exec(text) ?? []
    return id === '' ? undefined : { id, token }
  }, 'the mail with the link')
}

it("a data export mails a link to all of a user's data, and to nobody else's, until the account is deleted", async () => {
  const [me, other] = [await world.register(), await world.register()]
  await say(me, 'words of mine')
  await say(other, 'words of the other')
  const file = await upload(me, 'mine.png')
  await upload(other, 'theirs.png')
  expect((await me.api.call(authRoutes.requestDataExport)).status).toBe(202)
  const again = await me.api.call(authRoutes.requestDataExport)
  expect(again).toMatchObject({ status: 429, body: { code: 'cooldown' } })

  const link = await linkOf(me)
  const { status, headers, bytes } = await download(link)
  expect([status, headers['content-type']]).toEqual([200, 'application/zip'])
  const files = await unzip(bytes)
  const names = [...files.keys()]
  expect(names).toEqual(
    expect.arrayContaining([
      ...['README.md', 'account.json', 'billing/account.json', 'billing/ledger.json', 'mails.json', 'watchlist.json'],
      ...['files/files.json', `files/${file.id}-mine.png`],
    ]),
  )
  const chats = names.filter((name) => name.startsWith('chats/'))
  expect(chats).toHaveLength(2)
  expect(String(files.get(chats.find((name) => name.endsWith('.md')) ?? ''))).toMatch(
    /words of mine[\s\S]*You said: words of mine/,
  )
  const served = await me.api.open('GET', `/api/chat/files/${file.id}`)
  expect(files.get(`files/${file.id}-mine.png`)?.equals(await buffer(served.body))).toBe(true)
  const json = (name: string) => JSON.parse(String(files.get(name)))
  expect(json('account.json')).toMatchObject({ username: me.user.username, email: me.user.email })
  expect(json('billing/account.json')).toMatchObject({ plan: { id: 'free' } })
  expect(json('billing/ledger.json').map(({ kind }: { kind: string }) => kind)).toContain('capture')
  expect(json('mails.json')[0]).toMatchObject({ kind: 'verification', state: 'sent' })
  const everything = [...files.values()].map(String).join('\n')
  for (const foreign of ['words of the other', 'theirs', other.user._id, other.user.username])
    expect(everything).not.toContain(foreign)

  expect(logged.length).toBeGreaterThan(0)
  expect(logged.join('\n')).not.toContain(link.token)
  const wrong = await Promise.all([download({ ...link, token: newId() }), download({ ...link, id: newId() })])
  expect(wrong.map((answer) => answer.status)).toEqual([404, 404])

  expect((await me.api.call(authRoutes.deleteAccount, { body: { password: userPassword } })).status).toBe(202)
  expect((await download(link)).status).toBe(404)
})
