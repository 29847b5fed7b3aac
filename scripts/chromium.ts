import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of a Chromium: `CHROME_PATH`, the system's, or one that the system's package manager or Playwright installs now.
 * Undefined when none can be had.
 */
export async function provideChromium(): Promise<string | undefined> {
  const found = findChromium()
  if (found !== undefined) return found
  if (!installPackages()) installByPlaywright()
  return findChromium() ?? playwrightsOwn()
}

function findChromium(): string | undefined {
  const given = process.env.CHROME_PATH
  if (given && existsSync(given)) return given
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/bin', '/Applications/Google Chrome.app/Contents/MacOS']
  const paths = folders.flatMap((folder) => [...names, 'Google Chrome'].map((name) => `${folder}/${name}`))
  return paths.find((path) => existsSync(path))
}

/** Debian and its kin, as root: the browser and the fonts that its screenshots need. */
function installPackages(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log('Installing Chromium…')
  const options = {
    stdio: 'inherit' as const,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update', '-qq'], options)
  const packages = ['chromium', 'fonts-noto-core', 'fonts-noto-cjk']
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options).status === 0
}

function installByPlaywright(): void {
  spawnSync('node_modules/.bin/playwright-core', ['install', 'chromium'], { stdio: 'ignore' })
}

async function playwrightsOwn(): Promise<string | undefined> {
  const { chromium } = await import('playwright-core')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
