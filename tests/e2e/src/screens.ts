import { parseArgs } from 'node:util'
import { accessToken, type Locale, locales } from '@parley/contracts'
import type { Browser, Page } from 'playwright-core'
import { drawLocale, drawTheme, newVisitor, openBrowser, screenshot, sizes } from './browser.ts'
import { continuedBy, type Scene, scenes, viewerOf } from './scenes.ts'
import { openWorld, signInBrowser, type World } from './world.ts'

/** `npm run screens`; positional names select scenes, `--locale ar --locale ja` languages, `--size phone` a width, `--theme delglight` a theme. */
const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { locale: { type: 'string', multiple: true }, size: { type: 'string' }, theme: { type: 'string' } },
})
const wantedLocales = (values.locale ?? []).map((name): Locale => {
  const locale = locales.find((one) => one === name)
  if (locale === undefined) throw new Error(`Parley has no language ${name}, but ${locales.join(', ')}`)
  return locale
})
const wantedThemes = (['delgdark', 'delglight'] as const).filter((theme) => theme === (values.theme ?? theme))

/** How long a system is used, in milliseconds: the people of its scenes are signed in for as long as their access tokens live. */
const systemMs = (accessToken.lifetimeSeconds / 2) * 1_000

/** Takes pictures of the scenes in both themes at three widths, into `screens/`. */
async function takePictures(browser: Browser, wanted: readonly Scene[]): Promise<void> {
  const left = [...wanted]
  while (left.length > 0) {
    const world = await openWorld()
    const until = performance.now() + systemMs
    try {
      while (left.length > 0 && performance.now() < until) await takeEverySize(world, browser, left.shift() as Scene)
    } finally {
      await world.close()
    }
  }
}

async function takeEverySize(world: World, browser: Browser, scene: Scene): Promise<void> {
  for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
    if (values.size !== undefined && values.size !== size) continue
    if (scene.at !== undefined && !scene.at.includes(size)) continue
    await takePicture(world, browser, scene, size).catch((error: unknown) => {
      console.error(`${scene.name} at ${size}: ${error}`)
      process.exitCode = 1
    })
  }
}

async function takePicture(world: World, browser: Browser, scene: Scene, size: keyof typeof sizes): Promise<void> {
  const { page, context, errors, foreignRequests } = await newVisitor(browser, world.system.url, { size })
  page.setDefaultTimeout(60_000)
  try {
    const person = viewerOf(scene, world)
    if (person) await signInBrowser(context, person)
    world.reset()
    await show(page, scene, world)
    for (const locale of wantedLocales.length > 0 ? wantedLocales : [undefined]) {
      if (locale !== undefined) await drawLocale(page, locale)
      for (const theme of wantedThemes) {
        await drawTheme(page, theme)
        await screenshot(page, [scene.name, theme, sizes[size].width, locale].filter(Boolean).join('-'))
      }
    }
    // Errors that a picture does not show.
    for (const trouble of [...errors, ...foreignRequests]) console.warn(`${scene.name} at ${size}: ${trouble}`)
  } finally {
    await context.close()
  }
}

/** Shows a scene on a fresh page, after the scenes that it continues. */
async function show(page: Page, scene: Scene, world: World): Promise<void> {
  if (scene.continues !== undefined) await show(page, continuedBy(scene, scenes), world)
  await scene.show(page, world)
}

const browser = await openBrowser()
try {
  await takePictures(
    browser,
    scenes.filter(({ name }) => names.length === 0 || names.includes(name)),
  )
} finally {
  await browser.close()
}
