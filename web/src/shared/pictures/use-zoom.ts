import createPanzoom, { type PanzoomObject } from '@panzoom/panzoom'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isModified } from '../keyboard/is-modified.ts'

/** The largest enlargement of a picture that fits the window. */
const maxScale = 8
const doubleClickScale = 2.5
/** Pixels that an arrow key moves an enlarged picture by. */
const stepPx = 60
/** Measured while it is animated, a picture would be contained wrongly. */
const atOnce = { animate: false }
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [stepPx, 0],
  ArrowRight: [-stepPx, 0],
  ArrowUp: [0, stepPx],
  ArrowDown: [0, -stepPx],
}

/**
 * Zooms an image within its parent: by wheel, two fingers or double click, by the keys + - 0, and moved by dragging or the arrow keys.
 * @param url of the image, which is in the document once this is set
 */
export function useZoom(image: RefObject<HTMLImageElement | null>, url: string | null) {
  const panzoom = useRef<PanzoomObject | null>(null)
  const [percent, setPercent] = useState(100)
  useEffect(() => {
    const element = image.current
    const frame = element?.parentElement
    if (!element || !frame || url === null) return
    const zoom = createPanzoom(element, { maxScale, minScale: 1, contain: 'outside', panOnlyWhenZoomed: true })
    panzoom.current = zoom
    const listening = new AbortController()
    const { signal } = listening
    const actions: Readonly<Record<string, () => unknown>> = {
      '+': () => zoom.zoomIn(atOnce),
      '=': () => zoom.zoomIn(atOnce),
      '-': () => zoom.zoomOut(atOnce),
      '0': () => zoom.reset(atOnce),
    }
    element.addEventListener('panzoomchange', () => setPercent(percentOf(zoom)), { signal })
    frame.addEventListener('wheel', zoom.zoomWithWheel, { passive: false, signal })
    frame.addEventListener(
      'dblclick',
      (event) => (percentOf(zoom) > 100 ? zoom.reset(atOnce) : zoom.zoomToPoint(doubleClickScale, event)),
      { signal },
    )
    window.addEventListener(
      'keydown',
      (event) => {
        if (isModified(event)) return
        const move = moves[event.key]
        const act = move ? () => zoom.pan(...move, { relative: true }) : actions[event.key]
        if (!act) return
        event.preventDefault()
        act()
      },
      { signal },
    )
    return () => {
      listening.abort()
      zoom.destroy()
      panzoom.current = null
    }
  }, [image, url])
  return {
    /** In percent; 100 while the picture fits the window. */
    percent,
    zoomIn: () => panzoom.current?.zoomIn(atOnce),
    zoomOut: () => panzoom.current?.zoomOut(atOnce),
    reset: () => panzoom.current?.reset(atOnce),
  }
}

const percentOf = (zoom: PanzoomObject): number => Math.round(zoom.getScale() * 100)
