import { z } from 'zod'

/** A provider's count of tokens; one that cannot be right is left out, and estimated later. */
export const tokenCount = z.number().int().min(0).max(1e9).nullish().catch(undefined)
