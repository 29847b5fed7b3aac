import type { Event } from '@parley/contracts'
import type { ZodType } from 'zod'

/** A document's value: JSON without the character NUL, and at the top level also times. */
export interface Identified {
  readonly id: string
}

/** The fields by which documents are found. Texts are compared byte by byte. */
export type Key = string | Date

/** Documents of one kind. A service declares each of its collections once, as a value. */
export interface Collection<Doc extends Identified, Index extends string = never> {
  /** Name of the table or the collection, in lower case with `_`. */
  readonly name: string
  /** Parses a stored value. Loose, so that an older replica preserves fields that a newer one added; times are coerced. */
  readonly schema: ZodType<Doc>
  /** Indexes by name: the fields, in order. A document in which one is null or missing is not in the index. An index of `id` always exists. */
  readonly indexes: Readonly<Record<Index, readonly (keyof Doc & string)[]>>
  /** A version before, which still runs, writes without moving the version: on MongoDB what was read is compared too. */
  readonly hasUnversionedWriters?: true
}

/** A document as it was at a version. */
export interface Versioned<Doc> {
  readonly doc: Doc
  /** Moves with every change. */
  readonly version: number
}

/** The document stored under an id. */
export interface Inserted<Doc> extends Versioned<Doc> {
  /** Whether this call inserted it. */
  readonly isNew: boolean
}

/** A part of an index: the first fields equal `equal`, and the next one lies between `from` and, without it, `before`. */
export interface Range {
  readonly equal?: readonly Key[]
  readonly from?: Key
  readonly before?: Key
}

/** A range of documents, ordered by the index's remaining fields after `equal` and then by id. */
export interface Page<Doc> {
  readonly limit: number
  readonly descending?: boolean
  /** The last one of the page before: its id and the fields of the index. */
  readonly after?: Partial<Doc> & Identified
}

/**
 * Documents that change one at a time. Each act that changes one is atomic, with the events that are given to it, and on disk when it resolves; of one
 * that rejects because the connection was lost either all happened or nothing.
 */
export interface Documents<Doc extends Identified, Index extends string = never> {
  get(id: string): Promise<Versioned<Doc> | undefined>
  /** The version without the document, for callers that may already have it: its size does not matter. Unreliable with `hasUnversionedWriters`. */
  version(id: string): Promise<number | undefined>
  find(index: Index | 'id', range: Range, page: Page<Doc>): Promise<readonly Versioned<Doc>[]>
  /**
   * Keeps the documents whose ids are free. Several are kept one by one; the events belong to the first of them.
   * @returns the stored document of each
   */
  insertOnce(docs: readonly Doc[], events?: readonly Event[]): Promise<readonly Inserted<Doc>[]>
  /**
   * Sets fields of a document that is as it was read; a field that is not given stays, one given as undefined is removed.
   * @returns undefined when it was changed or removed since; then nothing is written
   */
  replace(read: Versioned<Doc>, fields: Partial<Doc>, events?: readonly Event[]): Promise<Versioned<Doc> | undefined>
  /**
   * Sets fields, as `replace` does, of a document that was not read, while `held` (texts, numbers, flags: a lease's owner, say) is in it.
   * @returns false when there is no such document
   */
  patch(id: string, held: Partial<Doc>, fields: Partial<Doc>, events?: readonly Event[]): Promise<boolean>
  /**
   * Removes the documents of a range for good. If events wait in a document, it stays until they are published.
   * @returns how many were found, `limit` at most: until it is 0 there may be more
   */
  removeWhere(index: Index | 'id', range: Range, limit: number): Promise<number>
}

/** The first version of documents that are inserted: by chance, as one that was removed and inserted again must not be taken for the one that was read. */
export const drawVersion = (): number => 1 + Math.floor(Math.random() * 1_000_000_000)

/** What fields change: the values that they set, without the id, and the names of those that they remove. */
export function changesOf<Doc extends Identified>(fields: Partial<Doc>) {
  const { id: _id, ...set } = fields
  return { set, removed: Object.keys(set).filter((name) => set[name as keyof typeof set] === undefined) }
}

/** A document with fields changed. */
export const withFields = <Doc extends Identified>(doc: Doc, fields: Partial<Doc>): Doc => {
  const entries = Object.entries({ ...doc, ...fields, id: doc.id })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown as Doc
}

/** The definition of a collection's table and indexes. */
export interface Layout {
  readonly name: string
  readonly indexes: Readonly<Record<string, readonly string[]>>
}

/** An index as a range is taken from it. @throws RangeError when `equal` has more keys than the index has fields */
export function fieldsOf(
  { indexes }: Pick<Layout, 'indexes'>,
  index: string,
  { equal = [] }: Range,
): { readonly equal: readonly (readonly [string, Key])[]; readonly order: readonly string[] } {
  const fields = index === 'id' ? ['id'] : (indexes[index] ?? [])
  if (equal.length > fields.length) throw new RangeError(`The index ${index} has ${fields.length} fields`)
  return {
    equal: equal.map((key, nth) => [fields[nth] ?? '', key]),
    order: [...new Set([...fields.slice(equal.length), 'id'])],
  }
}
