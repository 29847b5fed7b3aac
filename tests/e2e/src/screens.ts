import type { Browser } from 'playwright-core'
import { drawTheme, newVisitor, openBrowser, screenshot, sizes } from './browser.ts'
import { type Scene, scenes, viewerOf } from './scenes.ts'
import { openWorld, signInBrowser, type World } from './world.ts'

/** Pictures of every scene in both themes at three widths, into `screens/`. Arguments name the scenes to take; none takes all. */
async function takePictures(world: World, browser: Browser, wanted: readonly Scene[]): Promise<void> {
  for (const scene of wanted) {
    for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
      if (scene.at !== undefined && !scene.at.includes(size)) continue
      await takePicture(world, browser, scene, size).catch((error: unknown) => {
        console.error(`${scene.name} at ${size}: ${error}`)
        process.exitCode = 1
      })
    }
  }
}

async function takePicture(world: World, browser: Browser, scene: Scene, size: keyof typeof sizes): Promise<void> {
  const { page, context, errors, foreignRequests } = await newVisitor(browser, world.system.url, { size })
  page.setDefaultTimeout(15_000)
  try {
    const person = viewerOf(scene, world)
    if (person) await signInBrowser(context, person)
    world.reset()
    await scene.show(page, world)
    for (const theme of ['delgdark', 'delglight'] as const) {
      await drawTheme(page, theme)
      await screenshot(page, `${scene.name}-${theme}-${sizes[size].width}`)
    }
    // What nobody sees in a picture.
    for (const trouble of [...errors, ...foreignRequests]) console.warn(`${scene.name} at ${size}: ${trouble}`)
  } finally {
    await context.close()
  }
}

const names = process.argv.slice(2)
const [world, browser] = await Promise.all([openWorld(), openBrowser()])
try {
  await takePictures(
    world,
    browser,
    scenes.filter(({ name }) => names.length === 0 || names.includes(name)),
  )
} finally {
  await browser.close()
  await world.close()
}
