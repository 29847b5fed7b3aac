import { type RefObject, useLayoutEffect } from 'react'

/** Makes a field as high as its text; its CSS sets the bounds. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the height depends on
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [field, text])
}
