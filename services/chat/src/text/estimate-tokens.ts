const charactersPerToken = 4

/** About how many tokens a text of this many UTF-16 units is; for budgets and flagged estimates only. */
export const estimateTokens = (length: number): number => Math.ceil(length / charactersPerToken)
