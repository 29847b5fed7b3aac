import type { EventBus } from '@parley/bus'
import { eventOf, openPgBus } from '@parley/bus'
import { openPostgres, type PostgresDatabase } from '@parley/db'
import {
  createIdentityCodec,
  createLogger,
  createMetrics,
  createServiceClient,
  newId,
  type RunningService,
  type ServiceClient,
  startService,
  systemClock,
} from '@parley/kit'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DeliveryPace, usualPace } from '../src/deliverer.ts'
import { createNotifierService } from '../src/service.ts'
import { type NotifierStores, openNotifierStores } from '../src/store/index.ts'
import { type AuthOutsider, startAuthOutsider } from './auth-outsider.ts'
import { headerOf, type SmtpOutsider, startSmtp } from './smtp-outsider.ts'

const log = createLogger('test', 'silent')
const identity = createIdentityCodec('a secret of at least 32 characters')
const quick: DeliveryPace = { ...usualPace, lookMs: 20, firstRetryMs: 20, mostRetryMs: 50 }

let database: TestDatabase
let auth: AuthOutsider
let smtp: SmtpOutsider
let bus: EventBus
let client: ServiceClient
let tables: PostgresDatabase<object>
let replicas: { running: RunningService; stores: NotifierStores }[]
beforeEach(async () => {
  database = await testDatabase()
  auth = await startAuthOutsider()
  smtp = await startSmtp({ refuse: (to) => (to.startsWith('gone') ? 550 : undefined) })
  bus = await openPgBus({ url: database.url, log })
  client = createServiceClient({ self: 'notifier', locate: () => auth.url, identity })
  tables = openPostgres({ url: database.url, schema: 'notifier', log })
  replicas = []
})
afterEach(async () => {
  for (const { running, stores } of replicas) {
    await running.stop(500)
    await stores.close()
  }
  await Promise.all([bus.close(), client.close(), tables.close(), auth.close(), smtp.close()])
  await database.drop()
})

async function start(pace: DeliveryPace = quick): Promise<RunningService> {
  const stores = openNotifierStores({ url: database.url, log })
  const config = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Parley <parley@example.test>',
    PUBLIC_URL: 'https://chat.example.test',
  }
  const metrics = createMetrics('notifier', false)
  const service = createNotifierService({ config, stores, bus, client, identity, metrics, log, now: systemClock, pace })
  const running = await startService(service, { host: '127.0.0.1', port: 0 })
  replicas.push({ running, stores })
  return running
}
function given(parts: { to?: string; username?: string; locale?: 'en' | 'ar' } = {}) {
  const verificationId = newId()
  auth.people.set(verificationId, { to: 'ann@example.test', username: 'ann', locale: 'en', ...parts })
  const data = { userId: newId(), verificationId }
  return eventOf('auth.verification-requested', data.userId, data, { id: newId(), at: new Date() })
}
const delivery = async (eventId: string) =>
  (await tables.pool.query('select * from deliveries where event_id = $1', [eventId])).rows[0]
const stateOf = async (eventId: string) => (await delivery(eventId))?.state

describe('a requested verification', () => {
  it('becomes one mail with a fresh code, as text and as HTML', async () => {
    await start()
    const event = given()
    await bus.publish([event])
    await expect.poll(() => stateOf(event.id)).toBe('sent')
    const [mail] = smtp.received
    const [issued] = auth.issued
    expect(mail).toMatchObject({ from: 'parley@example.test', to: ['ann@example.test'] })
    expect(issued?.id).toBe(event.data.verificationId)
    expect(headerOf(mail, 'Subject')).toBe(`${issued?.code} is your Parley verification code`)
    expect(headerOf(mail, 'Message-ID')).toBe(`<${event.id}@chat.example.test>`)
    expect(headerOf(mail, 'Content-Type')).toContain('multipart/alternative')
    expect(mail?.source.split(issued?.code ?? '').length).toBeGreaterThanOrEqual(4)
    expect(mail?.source).toMatch(/within 10\s+minutes/)
    expect(mail?.source).toContain('Sent by Parley at https://chat.example.test')
  })

  it('becomes one mail however often the event comes, on two replicas', async () => {
    await Promise.all([start(), start()])
    const event = given()
    const other = given({ to: 'bob@example.test' })
    for (let n = 0; n < 5; n += 1) await bus.publish([event])
    await bus.publish([other])
    await expect.poll(() => stateOf(other.id)).toBe('sent')
    await expect.poll(async () => Object.values((await bus.health()).lag)).toEqual([0])
    await expect.poll(() => stateOf(event.id)).toBe('sent')
    expect(smtp.received.filter(({ to }) => to.includes('ann@example.test'))).toHaveLength(1)
  })

  it('waits while the SMTP server is away, and is sent once it is back with a code that is alive', async () => {
    const { port } = smtp
    await smtp.close()
    await start()
    const event = given()
    await bus.publish([event])
    await expect.poll(async () => (await delivery(event.id))?.attempts).toBeGreaterThan(2)
    expect(await stateOf(event.id)).toBe('queued')
    smtp = await startSmtp({ port })
    await expect.poll(() => stateOf(event.id)).toBe('sent')
    expect(smtp.received).toHaveLength(1)
    expect(smtp.received[0]?.source).toContain(auth.issued.at(-1)?.code)
  })

  it('waits while auth is away', async () => {
    auth.working = false
    await start()
    const event = given()
    await bus.publish([event])
    await expect.poll(async () => (await delivery(event.id))?.attempts).toBeGreaterThan(1)
    expect(smtp.offered).toEqual([])
    auth.working = true
    await expect.poll(() => stateOf(event.id)).toBe('sent')
  })

  it('is given up after a permanent refusal, without holding up the next one', async () => {
    await start()
    const refused = given({ to: 'gone@example.test' })
    const next = given()
    await bus.publish([refused, next])
    await expect.poll(() => stateOf(next.id)).toBe('sent')
    await expect.poll(() => stateOf(refused.id)).toBe('failed')
    expect((await delivery(refused.id))?.last_error).toContain('550')
    expect(smtp.offered.filter((to) => to === 'gone@example.test')).toHaveLength(1)
  })

  it('is tried again after a temporary refusal', async () => {
    const { port } = smtp
    await smtp.close()
    let refusals = 0
    smtp = await startSmtp({
      port,
      refuse: () => {
        refusals += 1
        return refusals <= 2 ? 451 : undefined
      },
    })
    await start()
    const event = given()
    await bus.publish([event])
    await expect.poll(() => stateOf(event.id)).toBe('sent')
    expect((await delivery(event.id))?.attempts).toBe(3)
  })

  it('is given up when its time is over', async () => {
    await smtp.close()
    await start({ ...quick, giveUpMs: 0 })
    const event = given()
    await bus.publish([event])
    await expect.poll(() => stateOf(event.id)).toBe('failed')
  })

  it('sends nothing when the verification is over', async () => {
    await start()
    const event = given()
    auth.people.clear()
    await bus.publish([event])
    await expect.poll(() => stateOf(event.id)).toBe('failed')
    expect(smtp.offered).toEqual([])
  })

  it('is taken over from a replica that died while sending', async () => {
    await start()
    await replicas[0]?.running.stop()
    const event = given()
    await tables.pool.query(
      `insert into deliveries (event_id, kind, subject_id, attempts, claimed_until)
       values ($1, 'verification', $2, 1, now() - interval '1 second')`,
      [event.id, event.data.verificationId],
    )
    await start()
    await expect.poll(() => stateOf(event.id)).toBe('sent')
  })

  it('goes to the given mailbox only, and shows a name as it is', async () => {
    await start()
    const event = given({ to: 'ann@example.test', username: 'a"><img src=x>' })
    await bus.publish([event])
    await expect.poll(() => stateOf(event.id)).toBe('sent')
    const [mail] = smtp.received
    expect(mail?.to).toEqual(['ann@example.test'])
    expect(mail?.source).not.toContain('"><img src=3Dx>,</p>')
    expect(mail?.source).toContain('&lt;img')
  })
})

describe('a change of address', () => {
  it('is told to the address that was given up', async () => {
    await start()
    const emailChangeId = newId()
    auth.people.set(emailChangeId, { to: 'old@example.test', username: 'ann', locale: 'en' })
    const data = { userId: newId(), emailChangeId }
    const event = eventOf('auth.email-changed', data.userId, data, { id: newId(), at: new Date() })
    await bus.publish([event])
    await expect.poll(() => stateOf(event.id)).toBe('sent')
    expect(smtp.received[0]?.to).toEqual(['old@example.test'])
    expect(headerOf(smtp.received[0], 'Subject')).toBe('The e-mail address of your Parley account was changed')
    expect(smtp.received[0]?.source).toContain('January 1, 2030')
  })
})

describe('the service', () => {
  it('answers for its health and nothing else', async () => {
    const { url } = await start()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await fetch(`${url}/metrics`)).status).toBe(200)
    expect((await fetch(`${url}/api/mails`)).status).toBe(401)
  })
})
