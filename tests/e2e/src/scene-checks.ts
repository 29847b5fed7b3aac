import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import type { Scene } from './scenes.ts'
import { createViewing, type Viewing, visitsOf } from './viewing.ts'
import { openWorld, type World } from './world.ts'

/** Registers a test for each scene, in a world and a browser of their own; a test file calls nothing else. */
export function checkScenes(title: string, scenes: readonly Scene[]): void {
  let world: World
  let browser: Browser
  let viewings: Record<'desktop' | 'phone', Viewing>

  beforeAll(async () => {
    // The browser first: if it fails, no system has been started that would have to be stopped.
    browser = await openBrowser()
    world = await openWorld()
    viewings = {
      desktop: createViewing(browser, world, 'desktop', scenes),
      phone: createViewing(browser, world, 'phone', scenes),
    }
  })
  afterAll(async () => {
    await browser.close()
    await world.close()
  })

  describe(title, () => {
    it.each(visitsOf(scenes))('has no accessibility fault: %s, opened at %s size', async (_, size, scene) => {
      expect(await viewings[size].faultsOf(scene)).toEqual([])
    })
  })
}
