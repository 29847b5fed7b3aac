import { serviceNames } from '@parley/contracts'
import { freePort } from '@parley/kit'
import { openBrowser } from '../tests/e2e/src/browser.ts'
import type { System } from '../tests/e2e/src/system-kinds.ts'
import { provideChromium } from './chromium.ts'
import { checkImages } from './compose/images.ts'
import { dockerAnswers, openProject, type Project } from './compose/project.ts'
import { checkRights } from './compose/rights.ts'
import { checkIngress, loseReplicas, smoke } from './compose/smoke.ts'

/** `npm run test:compose`: builds the images, starts the whole system by compose, uses it in a browser, and removes it. */
/** Time-out until everything is healthy, in seconds. */
const upSeconds = '420'

async function run(chromium: string): Promise<void> {
  const [port, inboxPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')].map(String) as [string, string]
  const url = `http://localhost:${port}`
  const variables = {
    COMPOSE_PROFILES: 'demo',
    PARLEY_VERSION: 'test',
    PARLEY_PORT: port,
    INBOX_PORT: inboxPort,
    PUBLIC_URL: url,
    SMTP_URL: '',
  }
  const options = { name: `parley-test-${process.pid}`, files: ['docker-compose.yml'] }
  const project = openProject({ ...options, variables })
  const replicated = openProject({ ...options, variables: { ...variables, PARLEY_REPLICAS: '2' } })
  const onSignal = (): void => void replicated.remove().finally(() => process.exit(1))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  // Read by the helper of the end-to-end tests.
  process.env.CHROME_PATH = chromium
  try {
    await project.compose('build')
    checkImages(serviceNames, 'test')
    await project.compose('up', '--detach', '--wait', '--wait-timeout', upSeconds)
    await use(project, replicated, { url, inboxUrl: `http://127.0.0.1:${inboxPort}` })
  } catch (error) {
    await project.compose('ps', '--all').catch(() => undefined)
    await project.compose('logs', '--tail', '30').catch(() => undefined)
    throw error
  } finally {
    await replicated.remove()
  }
}

async function use(project: Project, replicated: Project, at: { url: string; inboxUrl: string }): Promise<void> {
  const browser = await openBrowser()
  try {
    const system = systemOf(project, at)
    await checkIngress(system)
    await smoke(browser, system)
    checkRights(project)
    await replicated.compose('up', '--detach', '--wait', '--wait-timeout', upSeconds)
    await loseReplicas(browser, system, replicated)
  } finally {
    await browser.close()
  }
}

/** A project as a system of the end-to-end tests. Its data is in volumes, so it has no data folder. */
function systemOf(project: Project, at: { url: string; inboxUrl: string }): System {
  const password = project.inside('auth', 'cat', '/run/secrets/auth/admin-password')
  return {
    ...at,
    admin: { username: 'admin', password },
    dataDir: '',
    stop: () => project.compose('stop').then(() => null),
    kill: () => project.compose('kill'),
    dispose: () => project.remove(),
  }
}

const chromium = dockerAnswers() ? await provideChromium() : undefined
if (chromium !== undefined) await run(chromium)
else console.log('test:compose: not run, since there is no Docker engine with compose, or no Chromium')
