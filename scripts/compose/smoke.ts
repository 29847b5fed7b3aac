import assert from 'node:assert/strict'
import { waitUntil } from '@parley/testing'
import type { Browser, Page } from 'playwright-core'
import { newVisitor } from '../../tests/e2e/src/browser.ts'
import { answers, composer, configure, hear, registerInBrowser, say, stopButton } from '../../tests/e2e/src/people.ts'
import { signIn } from '../../tests/e2e/src/settings.ts'
import type { System } from '../../tests/e2e/src/system-kinds.ts'
import { docker, type Project } from './project.ts'

/** The beginning of every demo answer. */
const demo = 'This is a demo answer'

/** Runs a scene as a new visitor, and fails if the page reported errors or requested another origin. */
async function scene(
  browser: Browser,
  system: System,
  name: string,
  play: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, context, errors, foreignRequests } = await newVisitor(browser, system.url)
  page.setDefaultTimeout(120_000)
  try {
    await play(page)
    assert.deepEqual([...errors, ...foreignRequests], [], name)
  } finally {
    await context.close()
  }
  console.log(`✓ ${name}`)
}

/** The user journeys that every deployment must support, in a browser. */
export async function smoke(browser: Browser, system: System): Promise<void> {
  await configure(system)
  await scene(browser, system, 'the admin signs in with the password that was made for them', async (page) => {
    await signIn(page, system.admin.username, system.admin.password)
    await composer(page).waitFor()
  })
  await scene(browser, system, 'a guest is answered', async (page) => {
    await page.goto('/')
    await say(page, 'Hello from a guest')
    await hear(page, demo)
  })
  await scene(
    browser,
    system,
    'a user registers with the mailed code, is answered, and finds the chat after a reload',
    async (page) => {
      await registerInBrowser(page, system, 'composed')
      await say(page, 'Hello from a user')
      await hear(page, demo)
      await page.reload()
      await hear(page, demo)
    },
  )
}

/** The health of the SPA's server and the gateway, through the ingress. */
export async function checkIngress(system: System): Promise<void> {
  const [page, api, config, missing] = await Promise.all(
    ['/c/any-chat', '/api/models', '/config.json', '/assets/none.js'].map((path) => fetch(new URL(path, system.url))),
  )
  assert(page && api && config && missing)
  const html = await page.text()
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.deepEqual(await config.json(), { apiUrl: '' })
  assert.equal(missing.status, 404)
  const asset = /\/assets\/[^"]+\.js/.exec(html)?.[0]
  assert(asset, 'the page names no script')
  const script = await fetch(new URL(asset, system.url))
  assert.match(script.headers.get('cache-control') ?? '', /immutable/)
  assert.equal(script.headers.get('content-encoding'), 'gzip')
  // Two servers serve one origin, so their headers must not differ.
  for (const [name, value] of api.headers) {
    if (
      /security-policy|^cross-origin|^origin-agent|^referrer|^x-(content|dns|download|frame|permitted|xss)/.test(name)
    )
      assert.equal(page.headers.get(name), value, name)
  }
  console.log('✓ the page has the gateway’s headers, and its files are kept as they should be')
}

/**
 * Kills replicas of chat during answers, until one dies that was generating the answer: every answer ends, and the one of the dead replica is marked
 * as interrupted and can be retried.
 */
export async function loseReplicas(browser: Browser, system: System, project: Project): Promise<void> {
  await scene(browser, system, 'an answer ends although the replica that makes it is killed', async (page) => {
    await registerInBrowser(page, system, 'survivor')
    const replicas = project.containers('chat')
    assert.equal(replicas.length, 2)
    for (let round = 0; round < 10; round += 1) {
      const victim = replicas[round % 2] as string
      const interrupted = await answerThroughLoss(page, `Explain round ${round} at length`, victim)
      docker('start', victim)
      await waitUntil(
        async () => healthOf(victim) === 'healthy' || undefined,
        'the killed replica to be back',
        180_000,
        500,
      )
      if (interrupted) return
    }
    assert.fail('in ten rounds no replica was killed that was making an answer')
  })
}

async function answerThroughLoss(page: Page, question: string, victim: string): Promise<boolean> {
  await page.goto('/')
  await say(page, question)
  await answers(page).filter({ hasText: 'A longer answer arrives' }).waitFor()
  docker('kill', victim)
  await stopButton(page).waitFor({ state: 'detached' })
  const text = (await answers(page).last().textContent()) ?? ''
  const interrupted = /interrupted/i.test(text)
  // The answer is complete unless it is marked as interrupted.
  assert.notEqual(text.includes('npm start'), interrupted, text)
  return interrupted
}

const healthOf = (container: string): string => docker('inspect', '--format', '{{.State.Health.Status}}', container)
