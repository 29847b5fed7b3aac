import type { QueryClient } from '@tanstack/react-query'
import { creditsQuery } from './queries.ts'

let isGenerating = (): boolean => false

/**
 * Defers fetching the credits to the end of an answer while `generating` says that this tab has one running. Returns a function that
 * ends this.
 */
export function deferCredits(generating: () => boolean): () => void {
  isGenerating = generating
  return () => {
    if (isGenerating === generating) isGenerating = () => false
  }
}

/** Applies the remaining credits from a response, and refetches the rest if they are new and no running answer will refetch it. */
export function takeRemaining(client: QueryClient, remaining: number): void {
  const known = client.getQueryData(creditsQuery.queryKey)
  if (known?.remaining === remaining) return
  if (known) {
    // The hold of a running answer is later returned or spent; the sum stays the same.
    const held = Math.max(0, known.held + known.remaining - remaining)
    client.setQueryData(creditsQuery.queryKey, { ...known, remaining, held })
  }
  if (known && isGenerating()) return
  void client.invalidateQueries({ queryKey: creditsQuery.queryKey }, { cancelRefetch: false })
}
