const charactersPerToken = 4

/** About how many tokens a text of this many UTF-16 units is; for budgets and flagged estimates only. */
export const estimateTokens = (length: number): number => Math.ceil(length / charactersPerToken)

/** About how many UTF-16 units of text this many tokens hold. */
export const estimateLength = (tokens: number): number => Math.max(0, tokens) * charactersPerToken
