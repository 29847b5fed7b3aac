import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../src/browser.ts'
import { scenesAround } from '../src/scenes.ts'
import { createViewing, type Viewing, visitsOf } from '../src/viewing.ts'
import { openWorld, type World } from '../src/world.ts'

let world: World
let browser: Browser
let viewings: Record<'desktop' | 'phone', Viewing>

beforeAll(async () => {
  ;[world, browser] = await Promise.all([openWorld(), openBrowser()])
  viewings = { desktop: createViewing(browser, world, 'desktop'), phone: createViewing(browser, world, 'phone') }
})
afterAll(async () => {
  await browser.close()
  await world.close()
})

describe('every screen around chats, in both themes, on a desktop and on a phone', () => {
  it.each(visitsOf(scenesAround))('has no fault: %s, first seen on a %s', async (_, size, scene) => {
    expect(await viewings[size].faultsOf(scene)).toEqual([])
  })
})
