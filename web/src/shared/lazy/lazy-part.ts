import { type ComponentType, createElement, type LazyExoticComponent, lazy, useState } from 'react'
import { retryImport } from './retry-import.ts'
import { whenIdle } from './when-idle.ts'

/** What makes each part new whose import failed. */
const failedParts = new Set<() => void>()
/** What loads the parts that are wanted early. */
const earlyParts = new Set<() => Promise<void>>()

/** A component whose code comes later. */
type LazyPart<P> = ComponentType<P> & {
  /** Imports its code, so that it is drawn without a fallback when it is drawn next. Rejects when it cannot be had; drawing it tries again. */
  prepare(): Promise<void>
}

/**
 * A component whose code is imported when it is first drawn, with retries. Where all of them failed it throws to the error boundary around it, whose
 * `renewFailedParts` has the next drawing import it anew: `lazy` by itself keeps a rejection for as long as the page lives.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let loaded: ComponentType<P> | null = null
  const prepare = async () => {
    loaded = await load()
  }
  const open = (): LazyExoticComponent<ComponentType<P>> =>
    lazy(async () => {
      try {
        return { default: await retryImport(load) }
      } catch (error) {
        failedParts.add(renew)
        throw error
      }
    })
  const renew = () => {
    part = open()
  }
  let part = open()
  const Part = (props: P) => {
    // One and the same for as long as it is mounted: another would take its state along.
    const [drawn] = useState(() => loaded ?? (part as ComponentType<P>))
    return createElement(drawn, props)
  }
  return Object.assign(Part, { prepare })
}

/** As {@link lazyPart}, of what will be opened sooner or later: `prepareParts` loads it before. */
export function earlyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  const part = lazyPart(load)
  earlyParts.add(part.prepare)
  return part
}

/** Loads the early parts when the page is idle, so that they open at once, and without a network. Answers what calls it off. */
export const prepareParts = (): (() => void) =>
  whenIdle(() => {
    // What fails is tried again where it is drawn.
    for (const prepare of earlyParts) void prepare().catch(() => undefined)
    earlyParts.clear()
  })

/** Has every part whose import failed be imported anew when it is drawn again. To be called once the failure is shown, as until then it would hide it. */
export function renewFailedParts(): void {
  for (const renew of failedParts) renew()
  failedParts.clear()
}
