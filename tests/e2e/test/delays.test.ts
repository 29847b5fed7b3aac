import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newVisitor, screenshot, type Visitor } from '../src/browser.ts'
import {
  answers,
  asAdmin,
  chooseModel,
  composer,
  connectedLive,
  hear,
  type Person,
  registerPerson,
  say,
  signInPage,
} from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'
import { addedModels } from '../src/tooled-system.ts'

let on: SharedSystem
let person: Person
let devices: Visitor[]
const tired = {
  ...{ id: 'tired', name: 'Tired One', provider: 'deepseek', group: 'Tests', enabled: true, creditsPerMessage: 1 },
  fallbackModels: ['reader-6'],
}

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  person = await registerPerson(on.system, 'patient')
  const admin = await asAdmin(on.system)
  const { status, text } = await admin.api.post('/api/admin/models', tired)
  await admin.close()
  expect(status, text).toBe(201)
})
// Other files expect the default models.
it.afterAll(async () => {
  const admin = await asAdmin(on.system)
  await admin.api.delete(`/api/admin/models/${tired.id}`)
  await admin.close()
})
beforeEach(() => {
  on.provider.reset()
  devices = []
})
afterEach(async ({ task }) => {
  for (const [index, { page }] of devices.entries()) {
    if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name} ${index}`)
  }
  await Promise.all(devices.map((device) => device.leave()))
  expect(devices.flatMap(({ errors }) => errors)).toEqual([])
})

/** Opens `path` in another browser of the same person, with a live connection. */
const arrive = async (path = '/'): Promise<Page> => {
  const device = await newVisitor(on.browser, on.system.url)
  devices.push(device)
  const { page } = device
  await signInPage(page, person)
  const connected = connectedLive(page)
  await page.goto(path)
  await composer(page).waitFor()
  await connected
  return page
}
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const stop = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true })

describe('an answer that is delayed', () => {
  it('in a new chat says at once that the provider is busy, counts down to the retry, and then reports the retry', async () => {
    const held = Promise.withResolvers<void>()
    on.provider.reply({ status: 429, headers: { 'retry-after': '6' } })
    on.provider.reply({ text: 'Worth the wait', pause: { after: 0, until: held.promise } })
    const page = await arrive()
    await say(page, 'In the busiest hour')
    // The announced text is constant, while the visible one counts down.
    const said = status(page, 'The provider is busy. Trying again in 6 seconds.')
    await said.waitFor()
    await stop(page).waitFor()
    await page.getByText(/The provider is busy\. Trying again in [1-5] seconds?\./).waitFor()
    expect(await said.count()).toBe(1)
    await status(page, 'Trying again (2 of 3)…').waitFor()
    await stop(page).waitFor()
    held.resolve()
    await hear(page, 'Worth the wait')
    expect(await page.getByText('Trying again').count()).toBe(0)
    expect(on.provider.calls).toHaveLength(2)
  })

  it('names the fallback model on every device of the user until the answer begins', async () => {
    const here = await arrive()
    await say(here, 'To begin with')
    await hear(here, 'You said: To begin with')
    await here.waitForURL(/\/c\//)
    const there = await arrive(new URL(here.url()).pathname)
    await answers(there).filter({ hasText: 'You said: To begin with' }).waitFor()
    const held = Promise.withResolvers<void>()
    on.provider.always({ status: 400, body: 'Words of the provider' }, ({ model }) => model === tired.id)
    on.provider.always(
      { text: 'Still awake', pause: { after: 0, until: held.promise } },
      ({ model }) => model === 'reader-6',
    )
    await chooseModel(here, tired.name)
    await say(here, 'Are you awake?')
    for (const page of [here, there]) {
      await status(page, `${tired.name} isn’t answering. Trying ${addedModels.reader} instead…`).waitFor()
      await stop(page).waitFor()
      expect(await page.getByText('Words of the provider').count()).toBe(0)
    }
    held.resolve()
    for (const page of [here, there]) {
      await hear(page, 'Still awake')
      expect(await page.getByText('isn’t answering').count()).toBe(0)
    }
    await here.getByText(`${tired.name} didn’t answer, so ${addedModels.reader} took over.`).waitFor()
  })

  it('can be stopped next to the message about the delay', async () => {
    const busy = { status: 503, headers: { 'retry-after': '8' } }
    on.provider.reply(busy, busy, busy)
    const page = await arrive()
    await say(page, 'Not that urgent')
    await status(page, 'The provider is busy.').waitFor()
    await stop(page).click()
    await page.getByText('You stopped this answer.').waitFor()
    await expect.poll(() => page.getByText('Trying again').count()).toBe(0)
    await hear(page, '')
    expect(on.provider.calls.length).toBeLessThan(3)
  })
})
