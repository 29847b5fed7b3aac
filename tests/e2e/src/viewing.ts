import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { addAxe, faultsOf } from './axe.ts'
import { drawTheme, newVisitor, sizes, type Visitor } from './browser.ts'
import { stopIntercepting } from './intercept.ts'
import { continuedBy, type Scene, viewerOf } from './scenes.ts'
import type { World } from './world.ts'

/** The sizes at which scenes are checked. */
type Size = 'desktop' | 'phone'

/** One page that shows scenes in turn, so that the application stays loaded and compiled. */
export type Viewing = ReturnType<typeof createViewing>

/** The scenes, each with the size at which it is opened. */
export const visitsOf = (scenes: readonly Scene[]): (readonly [name: string, size: Size, scene: Scene])[] =>
  scenes.flatMap((scene) => {
    const wanted: readonly Size[] = scene.sidebar ? ['desktop', 'phone'] : ['desktop']
    return wanted.filter((size) => scene.at?.includes(size) ?? true).map((size) => [scene.name, size, scene] as const)
  })

/** A page and the scene that it shows. */
interface Stage {
  readonly visitor: Visitor
  readonly size: Size
  shown: Scene | undefined
  /** Number of page errors that earlier scenes caused. */
  earlierErrors: number
}

/** Opens the browser page lazily, for the first scene. @param all scenes, to look up the one that a scene continues */
export function createViewing(browser: Browser, world: World, size: Size, all: readonly Scene[]) {
  let stage: Promise<Stage> | null = null
  const open = async (): Promise<Stage> => ({
    visitor: await newVisitor(browser, world.system.url, { size }),
    size,
    shown: undefined,
    earlierErrors: 0,
  })
  const close = async (): Promise<void> => {
    const last = stage
    stage = null
    await (await last)?.visitor.context.close()
  }
  return {
    /** Faults of a scene; a resizable one is also checked at phone size. */
    async faultsOf(scene: Scene): Promise<string[]> {
      stage ??= open()
      try {
        return await look(await stage, scene, world, all)
      } catch (error) {
        // The page is in an unknown state, so the next scene needs a fresh one.
        await close()
        throw error
      }
    },
    close,
  }
}

async function look(stage: Stage, scene: Scene, world: World, all: readonly Scene[]): Promise<string[]> {
  const { page, errors } = stage.visitor
  stage.earlierErrors = errors.length
  await lead(stage, scene, world, all)
  await addAxe(page)
  const found = await faultsOf(page, 'delgdark')
  if (!scene.sidebar) {
    await page.setViewportSize(sizes.phone)
    found.push(...(await faultsOf(page, 'delglight')))
  }
  // This scene shows an error on purpose.
  return scene.name === 'error' ? found : [...found, ...errors.slice(stage.earlierErrors)]
}

/** Shows a scene: from the one it continues if that is shown, else from the beginning. */
async function lead(stage: Stage, scene: Scene, world: World, all: readonly Scene[]): Promise<void> {
  const { page } = stage.visitor
  if (scene.continues === undefined) {
    await leave(stage, world)
    const beginning = await page.addInitScript(begin, { visit: randomUUID(), stored: storedBy(scene, world) })
    await scene.show(page, world)
    await beginning.dispose()
  } else {
    const before = continuedBy(scene, all)
    if (stage.shown !== before) await lead(stage, before, world, all)
    await page.setViewportSize(sizes[stage.size])
    await drawTheme(page, 'delgdark')
    await scene.show(page, world)
  }
  stage.shown = scene
}

/** Leaves the current scene and undoes everything that was set up for it. */
async function leave(stage: Stage, world: World): Promise<void> {
  const { page, context, errors } = stage.visitor
  await context.setOffline(false)
  // Leave the document while its interceptors still answer. The next page has the same origin, so Chromium keeps the process and its compiled code.
  await page.goto('/icon.svg')
  await Promise.all([page.unrouteAll(), stopIntercepting(page)])
  await Promise.all([context.clearCookies(), page.setViewportSize(sizes[stage.size])])
  await page.mouse.move(0, 0)
  world.reset()
  stage.earlierErrors = errors.length
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

/** Runs in the page: before a scene's first document it resets storage to that of a fresh browser signed in as this person. */
function begin({ visit, stored }: { visit: string; stored: Record<string, string> }): void {
  if (sessionStorage.getItem('visit') === visit) return
  localStorage.clear()
  sessionStorage.clear()
  sessionStorage.setItem('visit', visit)
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
}
