import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { addAxe, faultsOf } from './axe.ts'
import { newVisitor, sizes, type Visitor } from './browser.ts'
import { type Scene, viewerOf } from './scenes.ts'
import type { World } from './world.ts'

/** Sizes that a scene is looked at in. */
type Size = 'desktop' | 'phone'

/** A page on which scenes are shown one after the other, so that each finds the application compiled and its files at hand. */
export interface Viewing {
  /** What is wrong with a scene; one that can be resized is looked at as on a phone as well. */
  faultsOf(scene: Scene): Promise<string[]>
  close(): Promise<void>
}

/** The scenes with the sizes in which they are opened. */
export const visitsOf = (scenes: readonly Scene[]): (readonly [name: string, size: Size, scene: Scene])[] =>
  scenes.flatMap((scene) => {
    const wanted: readonly Size[] = scene.sidebar ? ['desktop', 'phone'] : ['desktop']
    return wanted.filter((size) => scene.at?.includes(size) ?? true).map((size) => [scene.name, size, scene] as const)
  })

/** Opens nothing before the first scene is asked for. */
export function createViewing(browser: Browser, world: World, size: Size): Viewing {
  let visitor: Promise<Visitor> | null = null
  const close = async (): Promise<void> => {
    const open = visitor
    visitor = null
    await (await open)?.context.close()
  }
  return {
    async faultsOf(scene) {
      visitor ??= newVisitor(browser, world.system.url, { size })
      try {
        return await look(await visitor, scene, world, size)
      } catch (error) {
        // Wherever it stands now, nothing can be shown from there.
        await close()
        throw error
      }
    },
    close,
  }
}

async function look({ page, context, errors }: Visitor, scene: Scene, world: World, size: Size): Promise<string[]> {
  // The document ends while what answered it still does.
  await page.goto('about:blank')
  await page.unrouteAll()
  await Promise.all([context.setOffline(false), context.clearCookies(), page.setViewportSize(sizes[size])])
  await page.mouse.move(0, 0)
  world.reset()
  const earlierErrors = errors.length
  const beginning = await page.addInitScript(begin, { visit: randomUUID(), stored: storedBy(scene, world) })
  await scene.show(page, world)
  await beginning.dispose()
  await addAxe(page)
  const found = await faultsOf(page, 'delgdark')
  if (!scene.sidebar) {
    await page.setViewportSize(sizes.phone)
    found.push(...(await faultsOf(page, 'delglight')))
  }
  // The scene of a failure is made by one.
  return scene.name === 'error' ? found : [...found, ...errors.slice(earlierErrors)]
}

function storedBy(scene: Scene, world: World): Record<string, string> {
  const person = viewerOf(scene, world)
  return person ? { token: person.token, user: JSON.stringify(person.user) } : {}
}

interface TextStorage {
  clear(): void
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}
declare const localStorage: TextStorage
declare const sessionStorage: TextStorage

/** Runs in the page: before the first document of a scene it stores what a fresh browser of this person has, and nothing else. */
function begin({ visit, stored }: { visit: string; stored: Record<string, string> }): void {
  if (sessionStorage.getItem('visit') === visit) return
  localStorage.clear()
  sessionStorage.clear()
  sessionStorage.setItem('visit', visit)
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
}
