const uniqueViolation = '23505'

/** True for PostgreSQL's refusal of a duplicate, of the constraint or unique index with this name when one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return code === uniqueViolation && (constraint === undefined || violated === constraint)
}
