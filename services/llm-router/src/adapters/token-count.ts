import { z } from 'zod'

/** A provider's count of tokens; undefined for one that cannot be right, which is estimated later. */
export const tokenCount = z.number().int().min(0).max(1e9).optional().catch(undefined)
