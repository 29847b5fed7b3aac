import { type RefObject, useLayoutEffect } from 'react'

/** Makes a field as high as its text where `field-sizing: content` does not; its CSS sets the bounds. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the height depends on
  useLayoutEffect(() => {
    const element = field.current
    // To ask for a height in the middle of a key costs a layout of the page.
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [field, text])
}
