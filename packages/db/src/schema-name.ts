/**
 * Returns a schema's name if it is safe to stand unquoted in SQL and in connection options.
 * @throws RangeError otherwise
 */
export function checkSchemaName(schema: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(schema)) throw new RangeError(`Not a schema name: ${schema}`)
  return schema
}
