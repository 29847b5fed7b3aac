import type { QueryClient } from '@tanstack/react-query'
import { creditsQuery } from './queries.ts'

let isGenerating = (): boolean => false

/**
 * Leaves the question for the credits to the end of an answer for as long as `generating` says that this tab has one generated. Answers a function that
 * ends this.
 */
export function deferCredits(generating: () => boolean): () => void {
  isGenerating = generating
  return () => {
    if (isGenerating === generating) isGenerating = () => false
  }
}

/** Takes in that so many credits are left, and asks for the rest where that is new and no running answer will ask. */
export function takeRemaining(client: QueryClient, remaining: number): void {
  const known = client.getQueryData(creditsQuery.queryKey)
  if (known?.remaining === remaining) return
  if (known) {
    // What is held for a running answer comes back or is spent; the sum stays.
    const held = Math.max(0, known.held + known.remaining - remaining)
    client.setQueryData(creditsQuery.queryKey, { ...known, remaining, held })
  }
  if (known && isGenerating()) return
  void client.invalidateQueries({ queryKey: creditsQuery.queryKey }, { cancelRefetch: false })
}
