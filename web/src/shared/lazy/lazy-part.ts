import { type ComponentType, createElement, type LazyExoticComponent, lazy, useState } from 'react'
import { retryImport } from './retry-import.ts'
import { whenIdle } from './when-idle.ts'

/** Functions that reset the screens whose import failed. */
const failedScreens = new Set<() => void>()
/** Functions that preload the early parts. */
const earlyParts = new Set<() => Promise<void>>()

/** A component with lazily loaded code. */
export type LazyPart<P> = ComponentType<P> & {
  /** Imports the code, so that the next render needs no fallback. Rejects when that fails; rendering tries again. */
  prepare(): Promise<void>
}

type Load<P> = () => Promise<ComponentType<P>>

/**
 * A part of a page that works without it, whose code is imported on the first render. Until that succeeds its fallback is rendered: when the server
 * is replaced or dies, the rest of the page must stay.
 */
export const lazyPart = <P extends object>(load: Load<P>): LazyPart<P> => partOf(load, true)

/**
 * A whole screen, whose code is imported on the first render, with some retries. When all fail it throws to the surrounding error boundary, and after
 * `renewFailedScreens` the next render imports it again: `lazy` itself would cache the rejection for the lifetime of the page.
 */
export const lazyScreen = <P extends object>(load: Load<P>): LazyPart<P> => partOf(load, false)

function partOf<P extends object>(load: Load<P>, isPart: boolean): LazyPart<P> {
  let loaded: ComponentType<P> | null = null
  const prepare = async () => {
    loaded ??= await load()
  }
  const open = (): LazyExoticComponent<ComponentType<P>> =>
    lazy(async () => {
      try {
        return { default: await retryImport(load, isPart) }
      } catch (error) {
        failedScreens.add(renew)
        throw error
      }
    })
  const renew = () => {
    part = open()
  }
  let part = open()
  const Part = (props: P) => {
    // Constant while mounted: switching components would lose their state.
    const [drawn] = useState(() => loaded ?? (part as ComponentType<P>))
    return createElement(drawn, props)
  }
  return Object.assign(Part, { prepare })
}

/** Like {@link lazyPart}, for parts that are likely to be opened: `prepareParts` preloads them. */
export function earlyPart<P extends object>(load: Load<P>): LazyPart<P> {
  const part = lazyPart(load)
  earlyParts.add(part.prepare)
  return part
}

/** Milliseconds between two parts in Safari, which lacks idle callbacks. */
const betweenPartsMs = 100

/**
 * Preloads parts, the early ones by default, one at a time when the page is idle, so that they open immediately and offline. Returns a function that
 * cancels it.
 * @param parts `prepare` of each; those that were begun are removed
 */
export function prepareParts(parts: Set<() => Promise<void>> = earlyParts): () => void {
  let cancel = (): void => undefined
  const prepareNext = (): void => {
    const [prepare] = parts
    if (prepare === undefined) return
    parts.delete(prepare)
    // A failed import is retried on render.
    void prepare().catch(() => undefined)
    cancel = whenIdle(prepareNext, betweenPartsMs)
  }
  cancel = whenIdle(prepareNext)
  return () => cancel()
}

/** Makes failed screens import again on their next render. Call it once the failure is shown; earlier it would hide the failure. */
export function renewFailedScreens(): void {
  for (const renew of failedScreens) renew()
  failedScreens.clear()
}
