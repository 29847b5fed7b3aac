import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { environmentWith, readScriptConfig } from './config.ts'

/** The headless shell first: without a window to draw it uses a quarter less CPU. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The path of a Chromium: `CHROME_PATH`, the system's, or one newly installed by the system's package manager or Playwright.
 * Undefined if none is available.
 */
export async function provideChromium(): Promise<string | undefined> {
  const found = findChromium()
  if (found !== undefined) return found
  if (!(await installPackages())) await run('node_modules/.bin/playwright-core', ['install', 'chromium'])
  return findChromium() ?? playwrightsOwn()
}

function findChromium(): string | undefined {
  const { chromePath, path } = readScriptConfig()
  if (chromePath && existsSync(chromePath)) return chromePath
  const folders = [...path, '/usr/bin', '/Applications/Google Chrome.app/Contents/MacOS']
  const paths = folders.flatMap((folder) => [...names, 'Google Chrome'].map((name) => `${folder}/${name}`))
  return paths.find((candidate) => existsSync(candidate))
}

/** On Debian-based systems, as root: installs the browser and the fonts for screenshots. */
async function installPackages(): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log('Installing Chromium…')
  await run('apt-get', ['update', '-qq'])
  const install = (browser: string): Promise<boolean> =>
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', browser, 'fonts-noto-core', 'fonts-noto-cjk'])
  return (await install('chromium-headless-shell')) || (await install('chromium'))
}

/** Resolves to whether the command succeeded; prints its output only if it failed. */
function run(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const env = environmentWith({ DEBIAN_FRONTEND: 'noninteractive' })
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

async function playwrightsOwn(): Promise<string | undefined> {
  const { chromium } = await import('playwright-core')
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}
