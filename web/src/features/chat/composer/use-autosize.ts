import { type RefObject, useLayoutEffect } from 'react'

/** Makes a field as high as its text where `field-sizing: content` is not supported; CSS sets the bounds. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const element = field.current
    // Measuring the height during a keystroke would force a layout of the page.
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [field, text])
}
