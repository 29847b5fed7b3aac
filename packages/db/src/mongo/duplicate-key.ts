const duplicateKey = 11000

/** True for MongoDB's refusal of a document whose id, or key of a unique index, there is already. */
export const isDuplicateKey = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === duplicateKey
