import { provideChromium } from '../chromium.ts'
import { changedFiles, reachOf, trackedFiles } from './changed.ts'
import { notRun, type Outcome } from './outcome.ts'
import { runCheck, runProject, runRelated, runVitest } from './parts.ts'
import { checks, type RunOptions } from './whole.ts'

/** Projects whose tests import the tested modules; others start programs or read files. */
const importing = ['unit', 'contract', 'services'] as const
/** A user journey through the whole product. */
const journey = 'tests/e2e/test/journey.test.ts'

/**
 * A quick run of what a change can break: the checks, the tests that import changed modules, and one user journey in the browser if the product
 * changed. Faults, the cluster and most screens are left to the whole run.
 * @param since the commit to compare with, see `changedFiles`
 */
export async function runChanged(
  since: string | undefined,
  { signal, strict }: Omit<RunOptions, 'onLost'>,
): Promise<Outcome[]> {
  const changed = changedFiles(since)
  const { sources, visible } = reachOf(changed, trackedFiles())
  console.log(`${changed.length} files changed; what ${sources.length} modules can break is tested`)
  const outcomes: Outcome[] = []
  for (const check of checks) outcomes.push(await runCheck(check, { signal }))
  for (const project of ['architecture', 'helm']) outcomes.push(await runProject(project, { signal }))
  if (sources.length > 0) outcomes.push(await runRelated(importing, sources, { live: true, signal }))
  const endToEnd = changed.filter((file) => /^tests\/e2e\/test\/.*\.test\.ts$/.test(file))
  const files = [...new Set([...(visible ? [journey] : []), ...endToEnd])]
  if (files.length > 0) outcomes.push(await inBrowser(files, { signal, strict }))
  return outcomes
}

async function inBrowser(files: readonly string[], { signal, strict }: Omit<RunOptions, 'onLost'>): Promise<Outcome> {
  const chromium = await provideChromium()
  if (chromium === undefined) return notRun('e2e', 'not run: no Chromium is available', strict)
  const environment = { CHROME_PATH: chromium }
  const projects = ['--project', 'e2e', '--project', 'accessibility']
  return runVitest('e2e', ['run', ...projects, ...files], { live: true, signal, environment })
}
