import type { QueryClient } from '@tanstack/react-query'
import { creditsQuery } from './queries.ts'

let isAnswering = (): boolean => false

/** Names the one who knows whether this tab has an answer made, whose end asks for the credits: until then what is pushed needs no question. Answers how to end it. */
export function deferCredits(answering: () => boolean): () => void {
  isAnswering = answering
  return () => {
    if (isAnswering === answering) isAnswering = () => false
  }
}

/** Takes in that so many credits are left, and asks for the rest where that is news and nobody else asks. */
export function takeRemaining(client: QueryClient, remaining: number): void {
  const known = client.getQueryData(creditsQuery.queryKey)
  if (known?.remaining === remaining) return
  if (known) {
    // What is held for a running answer comes back or is spent; the sum stays.
    const held = Math.max(0, known.held + known.remaining - remaining)
    client.setQueryData(creditsQuery.queryKey, { ...known, remaining, held })
  }
  if (known && isAnswering()) return
  void client.invalidateQueries({ queryKey: creditsQuery.queryKey }, { cancelRefetch: false })
}
